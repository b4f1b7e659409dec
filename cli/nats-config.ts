import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import { Command, InvalidArgumentError } from 'commander'
import { natsUsersOf, operatorPermissions } from '../services/bus-users.ts'
import type { Terminal } from './terminal.ts'

/** `gatehouse nats-config`: the users of a NATS server of one's own. */
export function natsConfigCommand(terminal: Terminal): Command {
  return new Command('nats-config')
    .description('Print the users for a NATS server: each process may publish and receive only what it needs')
    .option('--namespace <name>', 'of the system (NAMESPACE)', nameOf, terminal.env.NAMESPACE || 'gatehouse')
    .option('--account <name>', 'a NATS account for this system alone', nameOf)
    .option('--operator', 'a further user, operator, who looks at streams and deletes them')
    .action(({ namespace, account, operator }: { namespace: string; account?: string; operator?: true }) => {
      const permitted = { ...natsUsersOf(namespace), ...(operator && { operator: operatorPermissions(namespace) }) }
      const users = Object.entries(permitted).map(([name, permissions]) => {
        return { name, password: `$NATS_PASSWORD_${name.toUpperCase()}`, permissions }
      })
      terminal.out.write(`${HEAD}${natsConfiguration(users, account)}`)
    })
}

const HEAD = `# Written by gatehouse nats-config; rewrite it after an update of Gatehouse. Passwords, or their bcrypt hashes, come from the environment of NATS.
`

function nameOf(text: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(text)) return text
  throw new InvalidArgumentError('It takes letters, digits, _ and -.')
}
