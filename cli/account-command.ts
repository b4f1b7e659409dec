import { Command, Option } from 'commander'
import { type AccountOptions, asAccount, withAccount } from './account.ts'
import { accounts } from './permissions.ts'
import { columns, print } from './printing.ts'
import type { Terminal } from './terminal.ts'

interface SettingOptions extends AccountOptions {
  answersUpdates?: 'yes' | 'no'
  ssoHost?: string
}

/** `gatehouse account`: shows what an account has set, after it has set what is given. */
export function accountCommand(terminal: Terminal): Command {
  const command = new Command('account').description('Show or change the settings of an account')
  return withAccount(command)
    .addOption(
      new Option('--answers-updates <choice>', 'whether PUT and DELETE answer 200 with the object').choices([
        'yes',
        'no',
      ]),
    )
    .option('--sso-host <host>', 'its own host name for single sign-on; an empty value removes it')
    .action(async ({ answersUpdates, ssoHost, ...rest }: SettingOptions) => {
      const body = {
        ...(answersUpdates && { answers_updates: answersUpdates === 'yes' }),
        ...(ssoHost !== undefined && { sso_host: ssoHost || null }),
      }
      const account = await asAccount(terminal, rest, accounts, (client, caller) =>
        Object.keys(body).length > 0 ? client.update({ caller, body }) : client.read({ caller }),
      )
      const settings = Object.entries(account).filter(([name]) => !['_id', 'created_at'].includes(name))
      print(terminal, rest, account, ...settings.map(([name, value]) => columns(name, String(value ?? ''))))
    })
}
