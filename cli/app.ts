import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import { Command } from 'commander'
import { apps } from './permissions.ts'
import { connectSystem } from './system.ts'

interface Common {
  json?: boolean
}

/** `gatehouse app register|list|revoke`: the apps that may activate licences for QR codes. */
export function appCommand(): Command {
  const app = new Command('app').description('Register, list and revoke apps that activate licences for QR codes')

  common(app.command('register').description('Register an app; its signing secret is shown this once'))
    .requiredOption('--name <name>', 'shown to exhibitors; may be registered again, as another app')
    .action(async ({ name, json }: Common & { name: string }) => {
      const { signing_secret } = await withApps((client) => client.register({ body: { name } }))
      if (json) console.log(JSON.stringify({ name, signing_secret }))
      else console.log(signing_secret)
    })

  common(app.command('list').description('List the registered apps')).action(async ({ json }: Common) => {
    const list = await withApps((client) => client.list({ body: {} }))
    if (json) console.log(JSON.stringify(list))
    else for (const { _id, created_at, name } of list) console.log([_id, created_at.toISOString(), name].join('\t'))
  })

  common(app.command('revoke').description('Take an app off the register, at once').argument('<id>')).action(
    async (app_id: string, { json }: Common) => {
      const { _id, name } = await withApps((client) => client.revoke({ body: { app_id } }))
      if (json) console.log(JSON.stringify({ _id }))
      else console.log(`revoked ${name}`)
    },
  )
  return app
}

function common(command: Command): Command {
  return command.option('--json', 'print one line of JSON')
}

async function withApps<T>(work: (client: Client<typeof apps>) => Promise<T>): Promise<T> {
  const { bus, close } = await connectSystem()
  try {
    return await work(clientOf(bus, apps))
  } finally {
    await close()
  }
}
