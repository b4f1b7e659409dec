import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Command } from 'commander'
import { ownerOf } from './event-caller.ts'
import { erasures } from './permissions.ts'
import { askedFor, type PersonOptions, withPerson } from './person.ts'
import { columns } from './printing.ts'
import { retried } from './retry.ts'
import { inSystem } from './system.ts'
import { STOPPED, say, stoppable, type Terminal } from './terminal.ts'

/** The options of `gatehouse erase`. */
export interface EraseOptions extends PersonOptions {
  everybody?: boolean
  json?: boolean
}

const LOOK_EVERY_MS = 1_000

/** `gatehouse erase`: the personal data of one person in an event, or of everybody. */
export function eraseCommand(terminal: Terminal): Command {
  return withPerson(
    new Command('erase').description(
      'Permanently erase the personal data of one person at an event; entries stay counted. Prints what was found',
    ),
  )
    .option('--everybody', 'everyone at the event, instead of one person')
    .option('--json', 'print one line of JSON')
    .action((options: EraseOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => erase(options, bus, terminal))),
    )
}

/** Erases, and prints the report when it is done. Returns the exit code: 0, 130 when it was stopped; the erasure goes on by itself then. */
export async function erase(options: EraseOptions, bus: Bus, terminal: Terminal): Promise<number> {
  const { event: event_id, everybody, json } = options
  const caller = await ownerOf(bus, event_id, 'cli')
  const client = clientOf(bus, erasures)
  const idempotency_key = crypto.randomUUID()
  const person = askedFor(options)
  if (Boolean(person) === Boolean(everybody))
    throw new Error('Give exactly one of --guest, --uid, --email and --everybody')
  const body = person ?? ({ by: 'everybody', value: null } as const)
  let erasure = await retried(() => client.create({ params: { event_id }, body, caller, idempotency_key }))
  while (erasure.state === 'running' && !terminal.stop.aborted) {
    await sleep(LOOK_EVERY_MS, undefined, { signal: terminal.stop }).catch(() => {})
    erasure = await retried(() => client.read({ params: { event_id, id: erasure._id }, caller }))
  }
  if (json) say(terminal.out, JSON.stringify(erasure))
  else for (const line of [...linesOf(erasure.report), ...leftIn(erasure.unsearched)]) say(terminal.out, line)
  if (erasure.state === 'done') return 0
  say(terminal.err, `Erasure ${erasure._id} continues in the background`)
  return STOPPED
}

function linesOf(report: { data: string; outcome: string; count: number; reason: string | null }[]): string[] {
  if (report.length === 0) return ['nothing was found']
  return report.map(({ data, outcome, count, reason }) => columns(data, outcome, count, reason ?? ''))
}

function leftIn(unsearched: { data: string; fields: string[]; count: number }[]): string[] {
  return unsearched.map(({ data, fields, count }) => columns(data, 'not searched', count, fields.join(', ')))
}
