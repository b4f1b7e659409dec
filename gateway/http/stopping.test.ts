import { startSystem } from '@gatehouse/test/harness/system.ts'
import { expect, test } from 'vitest'

test('a gateway stops at once, though a client keeps a connection open whose body was refused', async () => {
  const system = await startSystem({ checkins: 0, guests: 0 })
  const { status } = await system.api('POST', 'events.json', { title: 'x'.repeat(1_000_000) })
  expect(status).toBe(413)
  const start = performance.now()
  await system.stop()
  // The connection would stay open for 72 seconds.
  expect(performance.now() - start).toBeLessThan(60_000)
})
