import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { Command, numberFrom } from '@gatehouse/proto/process/command.ts'
import { ownerOf } from './event-caller.ts'
import { areas } from './permissions.ts'
import { columns, print } from './printing.ts'
import { inSystem } from './system.ts'
import type { Terminal } from './terminal.ts'

interface EventOptions {
  event: string
  json?: boolean
}

interface NewArea extends EventOptions {
  name: string
  capacity?: number
}

/** `gatehouse area create|list`. */
export function areaCommand(terminal: Terminal): Command {
  const area = new Command('area').description('Create areas of an event, and show how many persons are inside')

  withEvent(area.command('create').description('Create an area'))
    .requiredOption('--name <name>', 'its name')
    .option('--capacity <persons>', 'how many persons it has room for', numberFrom(0, 10_000_000))
    .action(async ({ name, capacity, ...options }: NewArea) => {
      const body = { name, capacity: capacity ?? null }
      const created = await withAreas(terminal, options, (client, call) => client.create({ ...call, body }))
      print(terminal, options, created, created._id)
    })

  withEvent(area.command('list').description('List the areas of an event with the persons inside')).action(
    async (options: EventOptions) => {
      const list = await withAreas(terminal, options, (client, call) => client.list(call))
      const lines = list.map(({ _id, name, capacity, inside_count }) =>
        columns(_id, name, capacity === null ? `${inside_count} inside` : `${inside_count} of ${capacity} inside`),
      )
      print(terminal, options, list, ...lines)
    },
  )
  return area
}

function withEvent(command: Command): Command {
  return command.requiredOption('--event <id>').option('--json', 'print one line of JSON')
}

/** Runs `work` as the owner of an event. */
function withAreas<T>(
  terminal: Terminal,
  { event: event_id }: EventOptions,
  work: (client: Client<typeof areas>, call: { caller: Caller; params: { event_id: string } }) => Promise<T>,
): Promise<T> {
  return inSystem(terminal, async ({ bus }) => {
    const caller = await ownerOf(bus, event_id, 'cli')
    return work(clientOf(bus, areas), { caller, params: { event_id } })
  })
}
