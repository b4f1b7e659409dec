import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import { Command } from 'commander'
import { apps } from './permissions.ts'
import { columns, print } from './printing.ts'
import { inSystem } from './system.ts'
import type { Terminal } from './terminal.ts'

interface Common {
  json?: boolean
}

/** `gatehouse app register|list|revoke`: the apps that may activate licences for QR codes. */
export function appCommand(terminal: Terminal): Command {
  const app = new Command('app').description('Register, list and revoke apps that activate licences for QR codes')

  common(app.command('register').description('Register an app; its signing secret is shown only once'))
    .requiredOption('--name <name>', 'shown to exhibitors; need not be unique')
    .action(async ({ name, ...options }: Common & { name: string }) => {
      const { signing_secret } = await withApps(terminal, (client) => client.register({ body: { name } }))
      print(terminal, options, { name, signing_secret }, signing_secret)
    })

  common(app.command('list').description('List the registered apps')).action(async (options: Common) => {
    const list = await withApps(terminal, (client) => client.list({ body: {} }))
    print(
      terminal,
      options,
      list,
      ...list.map(({ _id, created_at, name }) => columns(_id, created_at.toISOString(), name)),
    )
  })

  common(app.command('revoke').description('Revoke an app immediately').argument('<id>')).action(
    async (app_id: string, options: Common) => {
      const { _id, name } = await withApps(terminal, (client) => client.revoke({ body: { app_id } }))
      print(terminal, options, { _id }, `revoked ${name}`)
    },
  )
  return app
}

function common(command: Command): Command {
  return command.option('--json', 'print one line of JSON')
}

function withApps<T>(terminal: Terminal, work: (client: Client<typeof apps>) => Promise<T>): Promise<T> {
  return inSystem(terminal, ({ bus }) => work(clientOf(bus, apps)))
}
