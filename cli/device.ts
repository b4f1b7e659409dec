import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { numberFrom } from '@gatehouse/proto/process/command.ts'
import { Command } from 'commander'
import { ownerOf } from './event-caller.ts'
import { devices } from './permissions.ts'
import { columns, print } from './printing.ts'
import { drawQrCode } from './qr-code.ts'
import { inSystem } from './system.ts'
import { draw, type Terminal } from './terminal.ts'

interface EventOptions {
  event: string
  json?: boolean
}

interface Rolled extends EventOptions {
  codeHours?: number
}

interface NewDevice extends EventOptions {
  name: string
  accesspoint?: string[]
}

/** `gatehouse device create|list|rename|roll|revoke`. */
export function deviceCommand(terminal: Terminal): Command {
  const device = new Command('device').description(
    'Enrol, list, rename and revoke devices of an event: phones that scan',
  )

  withEvent(device.command('create').description('Create a device; its code is shown only once'))
    .requiredOption('--name <name>', 'its name')
    .option('--accesspoint <id...>', 'the only check-in points where it may scan')
    .action(async ({ name, accesspoint: accesspoint_ids = [], ...options }: NewDevice) => {
      const body = { name, accesspoint_ids }
      const created = await withDevices(terminal, options, (client, call) =>
        client.create({ ...call, body: { kind: 'scanner', ...body } }),
      )
      await printCode(terminal, created, options)
    })

  withEvent(device.command('list').description('List the devices of an event')).action(
    async (options: EventOptions) => {
      const list = await withDevices(terminal, options, (client, call) => client.list(call))
      const lines = list.map(({ _id, name, last_seen_at, battery_level, queue_length, app_version }) => {
        const seen = last_seen_at ? `seen ${last_seen_at.toISOString()}` : 'never seen'
        const battery = battery_level === null ? '' : `battery ${battery_level} %`
        const queue = queue_length === null ? '' : `${queue_length} to send`
        return columns(_id, name, seen, battery, queue, app_version ?? '')
      })
      print(terminal, options, list, ...lines)
    },
  )

  withEvent(device.command('rename').description('Rename a device').argument('<id>'))
    .requiredOption('--name <name>', 'its new name')
    .action(async (id: string, { name, ...options }: EventOptions & { name: string }) => {
      const renamed = await withDevices(terminal, options, (client, call) =>
        client.update({ ...call, params: { ...call.params, id }, body: { name } }),
      )
      print(terminal, options, renamed, `renamed to ${renamed.name}`)
    })

  withEvent(
    device
      .command('roll')
      .description('Give a device a new code; the device keeps working until the code is exchanged')
      .argument('<id>'),
  )
    .option('--code-hours <hours>', 'for how many hours the code is good, ten minutes unless given', numberFrom(1, 168))
    .action(async (id: string, { codeHours, ...options }: Rolled) => {
      const rolled = await withDevices(terminal, options, (client, call) =>
        client.roll_code({
          ...call,
          params: { ...call.params, id },
          body: codeHours === undefined ? {} : { code_hours: codeHours },
        }),
      )
      await printCode(terminal, rolled, options)
    })

  withEvent(device.command('revoke').description('Revoke a device immediately').argument('<id>')).action(
    async (id: string, options: EventOptions) => {
      const revoked = await withDevices(terminal, options, (client, call) =>
        client.revoke({ ...call, params: { ...call.params, id } }),
      )
      print(terminal, options, { _id: revoked._id }, `revoked ${revoked.name}`)
    },
  )
  return device
}

function withEvent(command: Command): Command {
  return command.requiredOption('--event <id>').option('--json', 'print one line of JSON')
}

/** Runs `work` as the owner of an event. */
function withDevices<T>(
  terminal: Terminal,
  { event: event_id }: EventOptions,
  work: (client: Client<typeof devices>, call: { caller: Caller; params: { event_id: string } }) => Promise<T>,
): Promise<T> {
  return inSystem(terminal, async ({ bus }) => {
    const caller = await ownerOf(bus, event_id, 'cli')
    return work(clientOf(bus, devices), { caller, params: { event_id } })
  })
}

async function printCode(
  terminal: Terminal,
  { code, url, ...device }: { code: string; url: string },
  options: EventOptions,
): Promise<void> {
  print(terminal, options, { ...device, code, url }, code, url, '')
  if (!options.json) draw(terminal.out, await drawQrCode(url, terminal.out))
}
