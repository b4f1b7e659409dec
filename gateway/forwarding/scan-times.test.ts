import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { call } from '@gatehouse/test/harness/call.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT, StubbedGateway, TOKEN } from '../testing/stubbed-gateway.ts'

const POINT = 'b'.repeat(24)
const OTHER = 'c'.repeat(24)

interface Note {
  note_id: string
  counts: { accesspoint_id: string; count: number; token_id?: string; is_answered: boolean; ago_ms: number }[]
}

describe('the times of scans at a gateway (8.44)', () => {
  let gateway: StubbedGateway
  const offered: Note[] = []
  const taken: Note[] = []
  let isAway = false

  beforeAll(async () => {
    gateway = await StubbedGateway.start({})
    await gateway.answer('checkin.access_controls.create', () => ({}))
    await gateway.answer('checkin.scan_times.note', (note: Note) => {
      offered.push(note)
      if (isAway) throw unavailable()
      taken.push(note)
      return {}
    })
  })
  afterAll(() => gateway?.stop())

  const scan = (body: object) => call(gateway.base, TOKEN, 'POST', `events/${EVENT}/access_controls.json`, body)
  const counted = (point: string): number =>
    taken
      .flatMap(({ counts }) => counts)
      .reduce((sum, each) => sum + (each.accesspoint_id === point ? each.count : 0), 0)

  test('are told to checkin with the token, once each, whether the body is wrapped or not', async () => {
    const bare = { accesspoint_id: POINT, guest_uid: 'ada' }
    for (const body of [bare, { access_control: bare }, bare]) expect((await scan(body)).status).toBe(201)
    await expect.poll(() => counted(POINT)).toBe(3)
    for (const { counts } of taken)
      for (const { token_id, is_answered } of counts) expect([token_id, is_answered]).toEqual([TOKEN, true])
  })

  test(
    'that checkin does not take are offered again under the same name, and those of later scans under another',
    slow,
    async () => {
      isAway = true
      offered.length = 0
      await scan({ accesspoint_id: OTHER, guest_uid: 'ada' })
      await expect.poll(() => offered.length).toBeGreaterThan(0)
      await scan({ accesspoint_id: OTHER, guest_uid: 'bob' })
      const seen = offered.length
      await expect.poll(() => offered.length).toBeGreaterThan(seen)
      expect(new Set(offered.map(({ note_id }) => note_id)).size).toBe(1)
      for (const { counts } of offered) expect(counts.map(({ count }) => count)).toEqual([1])
      isAway = false
      await expect.poll(() => counted(OTHER)).toBe(2)
      expect(new Set(taken.map(({ note_id }) => note_id)).size).toBe(taken.length)
    },
  )

  test('of bodies that name no check-in point are nobody’s', async () => {
    const before = taken.length
    for (const body of [{}, { accesspoint_id: 'everywhere' }, { accesspoint_id: 7 }, [POINT]]) await scan(body)
    await scan({ accesspoint_id: POINT, guest_uid: 'ada' })
    await expect.poll(() => taken.length).toBeGreaterThan(before)
    expect(taken.slice(before).flatMap(({ counts }) => counts)).toMatchObject([{ accesspoint_id: POINT, count: 1 }])
  })

  test('are told at the end of a gateway too', async () => {
    const ending = await StubbedGateway.start({})
    const notes: Note[] = []
    await ending.answer('checkin.access_controls.create', () => ({}))
    await ending.answer('checkin.scan_times.note', (note: Note) => {
      notes.push(note)
      return {}
    })
    await call(ending.base, TOKEN, 'POST', `events/${EVENT}/access_controls.json`, { accesspoint_id: POINT })
    await ending.stop()
    expect(notes.flatMap(({ counts }) => counts)).toMatchObject([{ accesspoint_id: POINT, count: 1 }])
  })
})
