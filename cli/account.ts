import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller, Resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Command } from 'commander'
import { accounts } from './permissions.ts'
import { inSystem } from './system.ts'
import type { Terminal } from './terminal.ts'

/** The options of every command that works for one account. */
export interface AccountOptions {
  account: string
  json?: boolean
}

/** Adds those options to a command. */
export function withAccount(command: Command): Command {
  return command.requiredOption('--account <slug>').option('--json', 'print one line of JSON')
}

/** The account of a slug as the caller of further requests. Throws one sentence when there is no such account. */
export async function callerOf(bus: Bus, account: string): Promise<Caller> {
  const { account_id } = await clientOf(bus, accounts).find({ body: { slug: account } })
  if (!account_id) {
    throw new Error(`There is no account ${account}. Create it with: gatehouse bootstrap --account ${account}`)
  }
  return { account_id, token_id: 'cli', scope: 'admin' }
}

/** Runs `work` with a client for a resource of the running system, as an account. */
export function asAccount<R extends Resource, T>(
  terminal: Terminal,
  { account }: AccountOptions,
  resource: R,
  work: (client: Client<R>, caller: Caller) => Promise<T>,
): Promise<T> {
  return inSystem(terminal, async ({ bus }) => work(clientOf(bus, resource), await callerOf(bus, account)))
}
