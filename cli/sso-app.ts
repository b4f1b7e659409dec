import { clientOf } from '@gatehouse/proto/calls.ts'
import { oauthApps } from '@gatehouse/sso/resources'
import { Command } from 'commander'
import { type AccountOptions, asAccount, withAccount } from './account.ts'

interface CreateOptions extends AccountOptions {
  name: string
  redirectUri: string[]
  strict?: boolean
}

/** `gatehouse sso-app create`: an app that contacts can sign in to. */
export function ssoAppCommand(): Command {
  const app = new Command('sso-app').description('Register apps that contacts of an account can sign in to')
  withAccount(app.command('create').description('Register an app; its secret is shown this once'))
    .requiredOption('--name <name>', 'shown to contacts at sign-in')
    .requiredOption('--redirect-uri <uri>', 'where contacts are sent back to; may be repeated', gather)
    .option('--strict', 'the app must use PKCE')
    .action(async ({ name, redirectUri, strict = false, ...rest }: CreateOptions) => {
      const { client_id, client_secret } = await asAccount(rest, (bus, caller) =>
        clientOf(bus, oauthApps).create({ caller, body: { name, redirect_uris: redirectUri, is_strict: strict } }),
      )
      if (rest.json) console.log(JSON.stringify({ client_id, client_secret }))
      else console.log(`client_id      ${client_id}\nclient_secret  ${client_secret}`)
    })
  return app
}

function gather(value: string, before: string[] = []): string[] {
  return [...before, value]
}
