import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import { shown } from './report.ts'
import type { Erasure, erasures } from './resource.ts'
import type { StoredErasure } from './store.ts'

/** How long an answer waits for the erasure, and how often it looks. */
const WAIT_MS = 10_000
const LOOK_EVERY_MS = 100

/** Begins an erasure. */
export async function create(
  dependencies: Dependencies,
  { params: { event_id }, body: given, accept, caller, newId }: Call<typeof erasures.actions.create>,
): Promise<Erasure> {
  const { erasures, people, erasing } = dependencies
  const { account_id, event_id: bound_to } = required(caller)
  const asked = await accept(await people.errorsOf(event_id, given))
  const erasure = await erasures.insert({
    _id: newId(),
    account_id,
    with_account: bound_to === undefined,
    event_id,
    cause: 'request',
    everybody: asked.by === 'everybody',
    state: 'running',
    ...erasing.begin(asked),
    created_at: new Date(),
    completed_at: null,
  })
  return shown(await whenDone(dependencies, erasure))
}

/** The erasure when it is done, or as it is after a while: other erasures of the event go first. */
async function whenDone({ erasures, erasing }: Dependencies, erasure: StoredErasure): Promise<StoredErasure> {
  const until = Date.now() + WAIT_MS
  for (let current = erasure; ; ) {
    if (current.state === 'done' || Date.now() > until) return current
    await Promise.race([erasing.work(current), sleep(WAIT_MS, undefined, { ref: false })])
    current = found(await erasures.get(erasure.event_id, erasure._id))
    if (current.state !== 'done') await sleep(LOOK_EVERY_MS)
  }
}
