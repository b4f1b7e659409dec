// @module-tag slow
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { startProcess } from '@gatehouse/test/harness/process.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { expect, onTestFinished, test } from 'vitest'

const system = await sharedSystem()

test('a gateway that has just started refuses none of 96 creations at once: they wait', async () => {
  const testEvent = await TestEvent.open(system)
  const guest_category_id = await testEvent.category()
  const gateway = await startProcess('gateway/main.ts', {
    nats_url: natsUrlOf('gateway'),
    namespace: system.namespace,
    host: '127.0.0.1',
    port: 0,
    // None of them is late for its deadline, however slow the machine is.
    deadline_ms: 60_000,
  })
  onTestFinished(() => gateway.stop())
  const create = async (n: number): Promise<number> => {
    const { status } = await fetch(`${gateway.url}/api/v1/events/${testEvent.id}/guests.json`, {
      method: 'POST',
      headers: { authorization: `Bearer ${system.auth_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ guest_category_id, last_name: `Lovelace ${n}` }),
    })
    return status
  }
  const statuses = await Promise.all(Array.from({ length: 96 }, (_, n) => create(n)))
  expect(statuses).toEqual(Array.from({ length: 96 }, () => 201))
})
