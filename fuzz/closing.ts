import { setTimeout as sleep } from 'node:timers/promises'
import { natsOptions } from '@gatehouse/proto/bus/connecting.ts'
import type { Api } from '@gatehouse/test/harness/api.ts'
import { succeeded } from '@gatehouse/test/harness/call.ts'
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'

/* What must hold when all cases are sent. */

const DRAINED_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 500

/** What is wrong with a check-in of a new guest, which must be granted once; undefined if nothing is. */
export async function checkInProblem(api: Api, account_id: string): Promise<string | undefined> {
  const create = async (path: string, body: object): Promise<string> => (await succeeded(api('POST', path, body)))._id
  try {
    const event = await create('events.json', { event: { title: 'After all', account_id } })
    const within = `events/${event}`
    const guest_category_id = await create(`${within}/guest_categories.json`, { name: 'VIP' })
    const accesspoint_id = await create(`${within}/accesspoints.json`, { name: 'Door' })
    const link = { guest_category_id, accesspoint_id, max_allowed_accesses: 1 }
    await create(`${within}/guest_category_accesspoints.json`, link)
    await create(`${within}/guests.json`, { guest_category_id, last_name: 'Lovelace', uid: 'ada1815' })
    const scan = async () =>
      (await api('POST', `${within}/access_controls.json`, { accesspoint_id, guest_uid: 'ada1815' })).body
    const statuses = [(await scan()).access_status, (await scan()).access_status]
    return statuses[0] === 0 && statuses[1] === 3 ? undefined : `a check-in at the end got the statuses ${statuses}`
  } catch (error) {
    return `a check-in at the end failed: ${(error as Error).message}`
  }
}

/** The queues in which messages are left that nobody ever finishes: each message is done, or dropped if it cannot be read. */
export async function queueProblems(natsUrl: string, namespace: string): Promise<string[]> {
  const connection = await connect(natsOptions(natsUrl))
  try {
    const manager = await jetstreamManager(connection)
    const left = async (): Promise<string[]> => {
      const found: string[] = []
      for (const queue of ['domain', 'badges', 'mail']) {
        const consumers = await manager.consumers
          .list(`${namespace}_${queue}`)
          .next()
          .catch((error: unknown) => {
            // A system without some of its services lacks their queues.
            if (error instanceof JetStreamApiError) return []
            throw error
          })
        for (const { name, num_pending, num_ack_pending } of consumers) {
          const messages = num_pending + num_ack_pending
          if (messages > 0) found.push(`${messages} messages are left in the queue ${queue} for ${name}`)
        }
      }
      return found
    }
    const last = performance.now() + DRAINED_WITHIN_MS
    for (;;) {
      const found = await left()
      if (found.length === 0 || performance.now() > last) return found
      await sleep(LOOK_EVERY_MS)
    }
  } finally {
    await connection.close()
  }
}
