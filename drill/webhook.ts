import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredCheckIn } from '@gatehouse/cli/demo/recount.ts'
import { type Receiver, startReceiver } from '@gatehouse/test/harness/receiver.ts'
import type { DrillClient } from './client.ts'

/** How long deliveries may take when the load is over: an abandoned window is recovered again and again for ten minutes, mostly at once. */
const DELIVERED_MS = 180_000
const LOOK_MS = 500

/** Creates a webhook for what happens of these types, and returns its receiver. */
export async function receiveEvents(client: DrillClient, event_types: readonly string[]): Promise<Receiver> {
  const receiver = await startReceiver()
  const webhook = { url: receiver.url, event_types }
  await client.insist('POST', 'webhooks.json', webhook, 'webhook')
  return receiver
}

/** Waits until the receiver has all stored check-ins; those that it lacks in the end are violations. */
export async function compareDelivered(
  { record, phase }: DrillClient,
  rows: StoredCheckIn[],
  { received }: Receiver,
): Promise<string> {
  const missing = new Map(rows.map((row) => [row._id, row]))
  phase.waitFor(() => `the webhook to have the last ${missing.size} check-ins`)
  const until = performance.now() + DELIVERED_MS * record.slack
  for (let read = 0; missing.size > 0 && performance.now() < until; ) {
    for (; read < received.length; read++) missing.delete(received[read]?.json.data._id)
    await sleep(LOOK_MS, undefined, { signal: phase.signal })
  }
  for (const row of missing.values())
    record.violation('published', 'a stored check-in did not reach the webhook', [JSON.stringify(row)])
  return `${rows.length} stored check-ins with ${received.length} deliveries to a webhook`
}
