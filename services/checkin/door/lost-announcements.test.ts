// @module-tag slow
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type AnnouncementFilter, losingAnnouncements } from '@gatehouse/test/harness/announcement-filter.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

const [GRANTED, UNKNOWN, NOT_AUTHORIZED, USED_UP] = [0, 1, 2, 3]

/** On a cluster of NATS servers announcements may come late, or never. Here none of them reaches the doors. */
describe('doors that no announcement reaches', () => {
  let system: System
  let testEvent: TestEvent
  let filter: AnnouncementFilter
  const doors: Running[] = []

  beforeAll(async () => {
    system = await startSystem({ checkins: 0 })
    filter = await losingAnnouncements(inject('natsUrl'), system.namespace)
    for (let n = 0; n < 2; n++) doors.push(await startReplica('checkin', system, { nats_url: filter.url }))
    testEvent = await TestEvent.open(system)
  })
  afterAll(async () => {
    for (const door of doors) await door.stop()
    await system?.stop()
    await filter?.close()
  })

  /** The statuses that scans get at both doors. */
  async function statusesOf(accesspoint_id: string, guest_uid: string): Promise<Set<number>> {
    const scans = Array.from({ length: 12 }, () => testEvent.scan(accesspoint_id, guest_uid))
    return new Set((await Promise.all(scans)).map(({ access_status }) => access_status))
  }

  /** A guest who may enter a point without limit, as both doors know. */
  async function enteredGuest(uid: string) {
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    const link = await testEvent.link(category, point, -1)
    const guest = await testEvent.guest(category, uid)
    expect(await statusesOf(point, uid)).toEqual(new Set([GRANTED]))
    return { category, point, link, guest }
  }

  test('the next scan sees a lowered limit, and a deleted link', async () => {
    const { point, link } = await enteredGuest('limited')
    await testEvent.change(`guest_category_accesspoints/${link}.json`, { max_allowed_accesses: 1 })
    expect(await statusesOf(point, 'limited')).toEqual(new Set([USED_UP]))
    await testEvent.change(`guest_category_accesspoints/${link}.json`, { max_allowed_accesses: -1 })
    expect(await statusesOf(point, 'limited')).toEqual(new Set([GRANTED]))
    await testEvent.remove(`guest_category_accesspoints/${link}.json`)
    expect(await statusesOf(point, 'limited')).toEqual(new Set([NOT_AUTHORIZED]))
  })

  test('the next scan sees the links of a category that were replaced', async () => {
    const { category, point } = await enteredGuest('replaced')
    await testEvent.change(`guest_categories/${category}.json`, { guest_category_accesspoints: [] })
    expect(await statusesOf(point, 'replaced')).toEqual(new Set([NOT_AUTHORIZED]))
  })

  test("the next scan sees a guest's other category, and a privilege", async () => {
    const { guest, point } = await enteredGuest('moved')
    await testEvent.change(`guests/${guest}.json`, { guest_category_id: await testEvent.category('Other') })
    expect(await statusesOf(point, 'moved')).toEqual(new Set([NOT_AUTHORIZED]))
    const access_privileges_attributes = [{ accesspoint_id: point, access_once: false }]
    await testEvent.change(`guests/${guest}.json`, { access_privileges_attributes })
    expect(await statusesOf(point, 'moved')).toEqual(new Set([GRANTED]))
  })

  test('the next scan sees a deleted guest, another uid, and a guest who has taken over a uid', async () => {
    const { guest, point, category } = await enteredGuest('leaving')
    await testEvent.change(`guests/${guest}.json`, { uid: 'left' })
    expect(await statusesOf(point, 'leaving')).toEqual(new Set([UNKNOWN]))
    expect(await statusesOf(point, 'left')).toEqual(new Set([GRANTED]))
    await testEvent.remove(`guests/${guest}.json`)
    expect(await statusesOf(point, 'left')).toEqual(new Set([UNKNOWN]))
    await testEvent.guest(category, 'left')
    expect(await statusesOf(point, 'left')).toEqual(new Set([GRANTED]))
  })

  test('the next scan sees a new check-in point, and a deleted one', async () => {
    const { category } = await enteredGuest('early')
    const point = await testEvent.point('New')
    expect(await statusesOf(point, 'early')).toEqual(new Set([NOT_AUTHORIZED]))
    await testEvent.link(category, point, -1)
    expect(await statusesOf(point, 'early')).toEqual(new Set([GRANTED]))
    await testEvent.remove(`accesspoints/${point}.json`)
    const scan = () => testEvent.api('POST', 'access_controls.json', { accesspoint_id: point, guest_uid: 'early' })
    const answers = await Promise.all(Array.from({ length: 12 }, scan))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]))
  })

  test('the next signature sees a deleted guest, and a deleted check-in point', async () => {
    const { guest, point } = await enteredGuest('signing')
    await enteredGuest('staying')
    const sign = async (guest_uid: string): Promise<Set<number>> => {
      const body = { accesspoint_id: point, guest_uid, points: { width: '1', height: '1', lines: [] } }
      const answers = Array.from({ length: 12 }, () => testEvent.api('POST', 'signatures.json', body))
      return new Set((await Promise.all(answers)).map(({ status }) => status))
    }
    expect(await sign('signing')).toEqual(new Set([201]))
    await testEvent.remove(`guests/${guest}.json`)
    expect(await sign('signing')).toEqual(new Set([422]))
    expect(await sign('staying')).toEqual(new Set([201]))
    await testEvent.remove(`accesspoints/${point}.json`)
    expect(await sign('staying')).toEqual(new Set([422]))
  })

  test('there were announcements to lose', () => {
    expect(filter.lost).toBeGreaterThan(0)
  })
})
