import { natsConfiguration } from '@gatehouse/proto/declaring/permissions/nats-configuration.ts'
import type { NatsPermissions } from '@gatehouse/proto/declaring/permissions/nats-permissions.ts'
import { Command, InvalidArgumentError } from 'commander'
import { linkPermissions, natsUsersOf, operatorPermissions } from '../services/bus-users.ts'
import type { Terminal } from './terminal.ts'

interface NatsConfigOptions {
  namespace: string
  account?: string
  cells: string[]
  hub: boolean
  operator?: true
}

/** `gatehouse nats-config`: the users of a NATS server of one's own. */
export function natsConfigCommand(terminal: Terminal): Command {
  return new Command('nats-config')
    .description('Print the users for a NATS server: each process may publish and receive only what it needs')
    .option('--namespace <name>', 'of the system (NAMESPACE)', nameOf, terminal.env.NAMESPACE || 'gatehouse')
    .option('--account <name>', 'a NATS account for this system alone', nameOf)
    .option('--cells <names>', 'NAMESPACEs of the other cells, separated by commas', namesOf, [])
    .option('--hub', 'the users of the server between all cells instead, one for each', false)
    .option('--operator', 'a further user, operator, who looks at streams and deletes them')
    .action(({ namespace, account, cells, hub, operator }: NatsConfigOptions) => {
      const permitted = hub
        ? linksOf([namespace, ...cells])
        : { ...natsUsersOf(namespace, cells), ...(operator && { operator: operatorPermissions(namespace) }) }
      const users = Object.entries(permitted).map(([name, permissions]) => {
        return { name, password: `$NATS_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`, permissions }
      })
      terminal.out.write(`${HEAD}${natsConfiguration(users, account)}`)
    })
}

const HEAD = `# Written by gatehouse nats-config; rewrite it after an update of Gatehouse. Passwords, or their bcrypt hashes, come from the environment of NATS.
`

/** What each cell may say to the others. */
function linksOf(cells: string[]): Record<string, NatsPermissions> {
  return Object.fromEntries(
    cells.map((cell) => [
      cell,
      linkPermissions(
        cell,
        cells.filter((each) => each !== cell),
      ),
    ]),
  )
}

function namesOf(text: string): string[] {
  return text.split(',').map(nameOf)
}

function nameOf(text: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(text)) return text
  throw new InvalidArgumentError('It takes letters, digits, _ and -.')
}
