import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { numberFrom } from '@gatehouse/proto/process/command.ts'
import { Command } from 'commander'
import { type AccountOptions, asAccount, withAccount } from './account.ts'
import { oauthApps } from './permissions.ts'
import { columns, print } from './printing.ts'
import type { Terminal } from './terminal.ts'

interface CreateAppOptions extends AccountOptions {
  name: string
  redirectUri: string[]
  strict?: boolean
}

interface ChangeOptions extends AccountOptions {
  name?: string
  redirectUri?: string[]
  strict?: boolean
}

/** `gatehouse sso-app create|list|change|roll|delete`: the apps that contacts can sign in to. */
export function ssoAppCommand(terminal: Terminal): Command {
  const app = new Command('sso-app').description('Manage the apps that contacts of an account can sign in to')
  for (const add of [addCreate, addList, addChange, addRoll, addDelete]) add(app, terminal)
  return app
}

function addCreate(app: Command, terminal: Terminal): void {
  withAccount(app.command('create').description('Register an app; its secret is shown only once'))
    .requiredOption('--name <name>', 'shown to contacts at sign-in')
    .requiredOption('--redirect-uri <uri>', 'where contacts are sent back to; may be repeated', gather)
    .option('--strict', 'the app must use PKCE')
    .action(async ({ name, redirectUri, strict = false, ...rest }: CreateAppOptions) => {
      const made = await asAccount(terminal, rest, oauthApps, (apps, caller) =>
        apps.create({ caller, body: { name, redirect_uris: redirectUri, is_strict: strict } }),
      )
      showSecret(terminal, made, rest)
    })
}

function addList(app: Command, terminal: Terminal): void {
  withAccount(app.command('list').description('List the apps, without their secrets')).action(
    async (options: AccountOptions) => {
      const list = await asAccount(terminal, options, oauthApps, (apps, caller) => apps.list({ caller }))
      const lines = list.map(({ client_id, is_strict, name, redirect_uris }) =>
        columns(client_id, is_strict ? 'strict' : 'not strict', name, ...redirect_uris),
      )
      print(terminal, options, list, ...lines)
    },
  )
}

function addChange(app: Command, terminal: Terminal): void {
  withAccount(app.command('change').description('Change an app').argument('<client_id>'))
    .option('--name <name>', 'shown to contacts at sign-in')
    .option(
      '--redirect-uri <uri>',
      'where contacts are sent back to, replacing all current ones; may be repeated',
      gather,
    )
    .option('--strict', 'the app must use PKCE')
    .option('--no-strict', 'the app does not have to use PKCE')
    .action(async (client_id: string, { name, redirectUri, strict, ...rest }: ChangeOptions) => {
      const body = {
        ...(name !== undefined && { name }),
        ...(redirectUri && { redirect_uris: redirectUri }),
        ...(strict !== undefined && { is_strict: strict }),
      }
      const changed = await withApp(terminal, rest, client_id, (apps, target) => apps.update({ ...target, body }))
      print(terminal, rest, changed, `changed ${changed.name}`)
    })
}

function addRoll(app: Command, terminal: Terminal): void {
  withAccount(app.command('roll').description('Issue a new secret, shown only once').argument('<client_id>'))
    .option(
      '--overlap <seconds>',
      'how long the old secret stays valid; 0 ends it immediately',
      numberFrom(0, 2_592_000),
      86_400,
    )
    .action(async (client_id: string, { overlap, ...rest }: AccountOptions & { overlap: number }) => {
      const rolled = await withApp(terminal, rest, client_id, (apps, target) =>
        apps.roll_secret({ ...target, body: { overlap_seconds: overlap } }),
      )
      showSecret(terminal, rolled, rest)
    })
}

function addDelete(app: Command, terminal: Terminal): void {
  withAccount(
    app
      .command('delete')
      .description('Delete an app permanently, with all its tokens and grants')
      .argument('<client_id>'),
  ).action(async (client_id: string, options: AccountOptions) => {
    const { name } = await withApp(terminal, options, client_id, (apps, target) => apps.delete(target))
    print(terminal, options, { client_id }, `deleted ${name}`)
  })
}

/** Does something with one app, by its client_id. Throws one sentence when the account has no such app. */
function withApp<T>(
  terminal: Terminal,
  options: AccountOptions,
  client_id: string,
  work: (apps: Client<typeof oauthApps>, target: { caller: Caller; params: { id: string } }) => Promise<T>,
): Promise<T> {
  return asAccount(terminal, options, oauthApps, async (apps, caller) => {
    const app = (await apps.list({ caller })).find((each) => each.client_id === client_id)
    if (!app) throw new Error(`${options.account} has no app with the client_id ${client_id}`)
    return work(apps, { caller, params: { id: app._id } })
  })
}

function showSecret(
  terminal: Terminal,
  { client_id, client_secret }: { client_id: string; client_secret: string },
  options: AccountOptions,
): void {
  print(
    terminal,
    options,
    { client_id, client_secret },
    `client_id      ${client_id}`,
    `client_secret  ${client_secret}`,
  )
}

function gather(value: string, before: string[] = []): string[] {
  return [...before, value]
}
