import type { Scope } from '@gatehouse/proto/declaring/resource.ts'
import { Command, Option } from 'commander'
import { type AccountOptions, asAccount, withAccount } from './account.ts'
import { apiTokens } from './permissions.ts'
import { columns, print } from './printing.ts'
import type { Terminal } from './terminal.ts'

/** `gatehouse token create|list|revoke`. */
export function tokenCommand(terminal: Terminal): Command {
  const token = new Command('token').description('Issue, list and revoke API tokens of an account')

  withAccount(token.command('create').description('Issue a token; it is shown only once'))
    .requiredOption('--name <name>', 'what it is for')
    .addOption(new Option('--scope <scope>').choices(['admin', 'read', 'door']).makeOptionMandatory())
    .option('--event <id>', 'the only event it may access')
    .action(
      async ({ name, scope, event, ...rest }: AccountOptions & { name: string; scope: Scope; event?: string }) => {
        const issued = await asAccount(terminal, rest, apiTokens, (tokens, caller) =>
          tokens.create({ caller, body: { name, scope, event_id: event ?? null } }),
        )
        print(terminal, rest, issued, issued.token)
      },
    )

  withAccount(token.command('list').description('List the tokens of an account')).action(
    async (options: AccountOptions) => {
      const list = await asAccount(terminal, options, apiTokens, (tokens, caller) => tokens.list({ caller }))
      const lines = list.map(({ _id, scope, event_id, name }) => columns(_id, scope, event_id ?? 'any event', name))
      print(terminal, options, list, ...lines)
    },
  )

  withAccount(token.command('revoke').description('Revoke a token immediately').argument('<id>')).action(
    async (id: string, options: AccountOptions) => {
      const revoked = await asAccount(terminal, options, apiTokens, (tokens, caller) =>
        tokens.revoke({ caller, params: { id } }),
      )
      print(terminal, options, { _id: revoked._id }, `revoked ${revoked.name}`)
    },
  )
  return token
}
