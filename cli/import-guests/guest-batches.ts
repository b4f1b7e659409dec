import { setTimeout as sleep } from 'node:timers/promises'
import type { CreatedGuests, NewGuest } from '@gatehouse/imports/system.ts'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { Static } from 'typebox'
import type { guests } from '../permissions.ts'
import { retried } from '../retry.ts'

/** The service fills in the rest. */
type NewGuests = Static<typeof guests.actions.create_many.body>

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
): AsyncGenerator<CreatedGuests<G>> {
  for (const batch of inBatches(rows)) {
    if (stop.aborted) return
    const begun = performance.now()
    const body = batch.map((row) => ({ ...row.body, _id: row._id })) as NewGuests
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
