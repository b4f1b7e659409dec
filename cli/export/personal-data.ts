import { Readable } from 'node:stream'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { requesterFor } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { Command } from 'commander'
import { ownerOf } from '../event-caller.ts'
import { personalDocuments } from '../permissions.ts'
import { askedFor, type PersonOptions, withPerson } from '../person.ts'
import { retried } from '../retry.ts'
import { inSystem } from '../system.ts'
import { count, STOPPED, say, stoppable, type Terminal } from '../terminal.ts'
import { counted, writeOut } from './out.ts'

/** The options of `gatehouse export personal-data`. */
export interface PersonalDataOptions extends PersonOptions {
  out?: string
}

/** `gatehouse export personal-data`. */
export function personalDataCommand(terminal: Terminal): Command {
  return withPerson(
    new Command('personal-data').description(
      'Export all data about one person at an event, one line of JSON per document',
    ),
  )
    .option('--out <file>', 'write to this file instead of standard output')
    .action((options: PersonalDataOptions) =>
      stoppable(terminal, () => inSystem(terminal, ({ bus }) => exportPersonalData(options, bus, terminal))),
    )
}

/** Exports personal data; services record it as an export. Returns the exit code: 0, 130 when it was stopped. */
export async function exportPersonalData(options: PersonalDataOptions, bus: Bus, terminal: Terminal): Promise<number> {
  const { event, out } = options
  const caller = await ownerOf(bus, event, 'export')
  let done = 0
  const lines = counted(linesOf(bus, caller, event, askedFor(options)), () => done++)
  try {
    await writeOut([Readable.from(lines)], { file: out, stream: terminal.out }, terminal.stop)
  } catch (error) {
    if (!terminal.stop.aborted) throw error
    say(terminal.err, 'Stopped')
    return STOPPED
  }
  if (out !== undefined) say(terminal.err, `${count(done, 'document')} in ${out}`)
  return 0
}

interface DocumentPage {
  data: string
  items: unknown[]
  next: string | null
}

async function* linesOf(bus: Bus, caller: Caller, event_id: string, asked: object = {}): AsyncGenerator<string> {
  const request = requesterFor(bus, personalDocuments, 'export')
  for (let after: string | null = ''; after !== null; ) {
    const query = { ...asked, ...(after && { after }) }
    const { body } = await retried(() => request({ params: { event_id }, query, caller }))
    // Not read by the declaration, which limits how deeply clients' own values may be nested.
    const page = JSON.parse(Buffer.from(body).toString()) as DocumentPage
    for (const item of page.items) yield `${JSON.stringify({ data: page.data, item })}\n`
    after = page.next
  }
}
