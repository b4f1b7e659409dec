import { patiently } from '../server/patience.ts'
import { asRefusal, type Item, postOnce, read } from '../server/server.ts'
import { hashOf } from './hash.ts'

const LIST = '/api/v1/events/{event_id}/guests.json'
const ONE = '/api/v1/events/{event_id}/guests/{id}.json'
/** Nothing was done. */
const TOO_MANY = 429

interface Creation {
  event_id: string
  /** What the guest is told by: the same for the same row of the same file. */
  seed: readonly unknown[]
  body: Item
  signal: AbortSignal
  /** Called when the guest was sent and no answer came. */
  onUnanswered: () => void
}

/**
 * Stores a guest once, unless an earlier import has stored it: then `wasDone` is true. A guest who was deleted since then goes in again, under the
 * next key.
 */
export async function createOnce(creation: Creation): Promise<{ item: Item; wasDone: boolean }> {
  const { event_id, seed, body, signal, onUnanswered } = creation
  const params = { event_id }
  for (let round = 0; ; round++) {
    const key = await hashOf(JSON.stringify([event_id, ...seed, body, round]))
    const send = () =>
      postOnce(LIST, params, { status: 'imported', ...body }, key).catch((problem) => {
        if (asRefusal(problem).status !== TOO_MANY) onUnanswered()
        throw problem
      })
    const { item, wasDone } = await patiently(send, signal)
    if (!wasDone || (await isThere({ ...params, id: String(item._id) }))) return { item, wasDone }
  }
}

async function isThere(params: { event_id: string; id: string }): Promise<boolean> {
  try {
    await read(ONE, params)
    return true
  } catch (problem) {
    if (asRefusal(problem).status === 404) return false
    throw problem
  }
}
