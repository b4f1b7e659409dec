import { type Client, clientOf } from '@gatehouse/proto/calls.ts'
import type { Caller, Scope } from '@gatehouse/proto/resource.ts'
import { accounts, apiTokens } from '@gatehouse/sso/resources'
import { Command, Option } from 'commander'
import { connectSystem } from './system.ts'

interface Common {
  account: string
  json?: boolean
}

/** `gatehouse token create|list|revoke`. */
export function tokenCommand(): Command {
  const token = new Command('token').description('Issue, list and revoke API tokens of an account')

  common(token.command('create').description('Issue a token; it is shown this once'))
    .requiredOption('--name <name>', 'what it is for')
    .addOption(new Option('--scope <scope>').choices(['admin', 'read', 'door']).makeOptionMandatory())
    .option('--event <id>', 'the only event that it may touch')
    .action(async ({ name, scope, event, ...rest }: Common & { name: string; scope: Scope; event?: string }) => {
      const issued = await asAccount(rest, (tokens, caller) =>
        tokens.create({ caller, body: { name, scope, event_id: event ?? null } }),
      )
      if (rest.json) console.log(JSON.stringify(issued))
      else console.log(issued.token)
    })

  common(token.command('list').description('List the tokens of an account')).action(async (options: Common) => {
    const list = await asAccount(options, (tokens, caller) => tokens.list({ caller }))
    if (options.json) console.log(JSON.stringify(list))
    else
      for (const each of list) console.log([each._id, each.scope, each.event_id ?? 'any event', each.name].join('\t'))
  })

  common(token.command('revoke').description('Revoke a token, at once').argument('<id>')).action(
    async (id: string, options: Common) => {
      const revoked = await asAccount(options, (tokens, caller) => tokens.revoke({ caller, params: { id } }))
      if (options.json) console.log(JSON.stringify({ _id: revoked._id }))
      else console.log(`revoked ${revoked.name}`)
    },
  )
  return token
}

function common(command: Command): Command {
  return command.requiredOption('--account <slug>').option('--json', 'print one line of JSON')
}

async function asAccount<T>(
  { account }: Common,
  work: (tokens: Client<typeof apiTokens>, caller: Caller) => Promise<T>,
): Promise<T> {
  const { bus, close } = await connectSystem()
  try {
    const { account_id } = await clientOf(bus, accounts).find({ body: { slug: account } })
    if (!account_id)
      throw new Error(`There is no account ${account}. Make it with: gatehouse bootstrap --account ${account}`)
    return await work(clientOf(bus, apiTokens), { account_id, token_id: 'cli', scope: 'admin' })
  } finally {
    await close()
  }
}
