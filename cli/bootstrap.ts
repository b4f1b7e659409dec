import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Command } from 'commander'
import { accounts, staffMembers } from './permissions.ts'
import { print } from './printing.ts'
import { inSystem } from './system.ts'
import { count, say, type Terminal } from './terminal.ts'

/** `gatehouse bootstrap`: an account and an admin token of it. */
export function bootstrapCommand(terminal: Terminal): Command {
  return new Command('bootstrap')
    .description(
      'Create an account (once) and issue an admin token for it; the last ten tokens issued this way stay valid. Until an owner joins, also print a link for the first owner',
    )
    .requiredOption('--account <slug>', 'lowercase letters, digits and hyphens')
    .option('--json', 'print one line of JSON')
    .action(({ account, json }: { account: string; json?: boolean }) =>
      inSystem(terminal, async ({ bus, baseUrl }) => {
        const { earlier_tokens, ...answer } = await clientOf(bus, accounts).bootstrap({ body: { slug: account } })
        const result = { ...answer, base_url: baseUrl, sso_url: `${baseUrl}/sso/${account}` }
        if (json) return print(terminal, { json }, result)
        const { sign_in_url } = await clientOf(bus, staffMembers).first_link({ body: { account } })
        const shown = { ...result, ...(sign_in_url && { first_owner: sign_in_url }) }
        print(terminal, {}, shown, ...Object.entries(shown).map(([name, value]) => `${name.padEnd(13)}${value}`))
        if (earlier_tokens > 0) say(terminal.err, remarkOn(earlier_tokens, account))
        if (sign_in_url)
          say(terminal.err, 'To become the first owner, open the first_owner link in a browser within a day.')
      }),
    )
}

/** What is said when the account has tokens of `bootstrap` already. */
function remarkOn(earlier: number, account: string): string {
  const tokens = count(earlier, 'token of an earlier bootstrap', 'tokens of earlier bootstraps')
  return `The account ${account} was there already and has ${tokens}, still valid. This is one more, for a program that has none: keep it where only that program reads it. People sign in to the console without one. The last ten stay valid; \`gatehouse token\` lists and revokes them.`
}
