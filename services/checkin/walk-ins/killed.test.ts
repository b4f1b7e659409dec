import type { Process } from '@gatehouse/test/harness/process.ts'
import { startReplica, startReplicaProcess } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

describe('a walk-in in work at a process', () => {
  let system: System
  let doomed: Process

  beforeAll(async () => {
    system = await startSystem({ checkins: 0 })
  })
  afterEach(() => doomed?.kill())
  afterAll(() => system?.stop())

  test.each([
    ['which is killed', 'SIGKILL'],
    ['which hangs, and goes on after another one has answered', 'SIGCONT'],
  ] as const)('%s is answered by another process, and stored once', slow, async (_, signal) => {
    doomed = await startReplicaProcess('checkin', system)
    const testEvent = await TestEvent.open(system)
    const category = (await testEvent.make('guest_categories.json', { name: 'Guests', walk_in_enabled: true }))._id
    const point = await testEvent.point()
    await testEvent.link(category, point, 1)
    process.kill(doomed.pid, 'SIGSTOP')
    const walkIn = { guest_category_id: category, accesspoint_id: point }
    const sent = [{ uid: 'by device' }, { last_name: 'Nameless' }].map((fields) =>
      testEvent.api('POST', 'walk_ins.json', { ...walkIn, ...fields }),
    )
    const other = await startReplica('checkin', system)
    if (signal === 'SIGKILL') await doomed.kill()
    const answers = await Promise.all(sent)
    for (const { status, text } of answers) expect(status, text).toBe(201)
    if (signal === 'SIGCONT') {
      process.kill(doomed.pid, signal)
      // It works on what it has before it ends.
      await doomed.stop()
    }
    const idsOf = (items: { _id: string }[]): string[] => items.map(({ _id }) => _id).toSorted()
    expect(idsOf(await testEvent.all('guests.json'))).toEqual(idsOf(answers.map(({ body }) => body.guest)))
    const checkIns = await testEvent.all('access_controls.json')
    expect(idsOf(checkIns)).toEqual(idsOf(answers.map(({ body }) => body.access_control)))
    expect(checkIns.map(({ access_status }) => access_status)).toEqual([0, 0])
    await other.stop()
  })
})
