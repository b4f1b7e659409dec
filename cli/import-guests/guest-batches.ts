import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { guests } from '../permissions.ts'
import { retried } from '../retry.ts'
import type { GuestBody } from './rows.ts'

/** A guest to create. */
export interface NewGuest {
  _id: string
  body: GuestBody
  /** Characters of its body as JSON. */
  size: number
}

/** What became of some guests, in their order, and how often they were sent: a try without an answer may have stored them. */
export interface CreatedBatch<G extends NewGuest> {
  guests: G[]
  answers: Awaited<ReturnType<Client<typeof guests>['create_many']>>
  tries: number
}

/** An import yields to others by a rest of half the time that a request took, up to a millisecond a row. */
const REST = 0.5
/** Characters of JSON per request. */
const MAX_CHARACTERS = 1024 ** 2

/** Creates guests in batches until `stop` is aborted; existing ones stay unchanged. */
export async function* createGuests<G extends NewGuest>(
  client: Client<typeof guests>,
  event_id: string,
  rows: readonly G[],
  stop: AbortSignal,
): AsyncGenerator<CreatedBatch<G>> {
  for (const batch of inBatches(rows)) {
    if (stop.aborted) return
    const begun = performance.now()
    const body = batch.map((row) => ({ ...row.body, _id: row._id }))
    let tries = 0
    const answers = await retried(() => {
      tries++
      return client.create_many({ query: { event_id }, body })
    })
    const rest = Math.min(REST * (performance.now() - begun), batch.length)
    yield { guests: batch, answers, tries }
    await sleep(rest, undefined, { signal: stop }).catch(() => {})
  }
}

function* inBatches<G extends NewGuest>(rows: readonly G[]): Generator<G[]> {
  let batch: G[] = []
  let characters = 0
  for (const row of rows) {
    if (batch.length > 0 && characters + row.size > MAX_CHARACTERS) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(row)
    characters += row.size
  }
  if (batch.length > 0) yield batch
}
