import { randomUUID } from 'node:crypto'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { proxyTo } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const system = await sharedSystem()

interface Device {
  _id: string
  token: string
}

describe('times of scans (8.44)', () => {
  let testEvent: TestEvent
  let gate: string

  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
    gate = await testEvent.point('Gate 3')
  })

  const deviceAt = async (...accesspoint_ids: string[]): Promise<Device> => {
    const { _id, code } = await testEvent.make('devices.json', { name: 'Phone', accesspoint_ids })
    const { body } = await system.api('POST', `device_codes/${code}/exchange.json`, undefined, { token: '' })
    return { _id, token: body.token }
  }
  const scan = (init: object = {}, fields: object = {}): Promise<Answer> =>
    testEvent.api('POST', 'access_controls.json', { accesspoint_id: gate, guest_uid: 'nobody', ...fields }, init)
  const times = () => testEvent.read('scan_times.json')
  const report = (token: string, scans: object[], report_key: string = randomUUID()): Promise<Answer> =>
    testEvent.api('PUT', 'scan_times.json', { report_key, scans }, { token })
  const atGate = (fields: object): object => ({ accesspoint_id: gate, ago_ms: 0, ...fields })

  test('are counted by check-in point and by device, each scan and each walk-in once, at whichever gateway and process it was', async () => {
    const device = await deviceAt()
    const urls = Array.from({ length: 30 }, (_, index) => system.urls[index % system.urls.length] as string)
    const answers = await Promise.all(urls.map((url) => scan({ base: url, token: device.token })))
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201))
    const guest_category_id = (await testEvent.make('guest_categories.json', { name: 'A', walk_in_enabled: true }))._id
    const walkIn = { last_name: 'Lovelace', guest_category_id, accesspoint_id: gate }
    expect(await testEvent.status('POST', 'walk_ins.json', walkIn, { token: device.token })).toBe(201)
    const find = async () => {
      const { by_accesspoint, by_device } = await times()
      return { points: by_accesspoint, devices: by_device }
    }
    await expect.poll(async () => (await find()).points[0]?.in_gatehouse.scan_count).toBe(31)
    const { points, devices } = await find()
    expect([points.length, devices.length]).toEqual([1, 1])
    expect(points[0].accesspoint_id).toBe(gate)
    expect(devices[0].token_id).toBe(device._id)
    const { median_ms, p95_ms, worst_ms, scan_count, unanswered_count } = devices[0].in_gatehouse
    expect([scan_count, unanswered_count]).toEqual([31, 0])
    expect(median_ms).toBeLessThanOrEqual(p95_ms)
    expect(p95_ms).toBeLessThanOrEqual(worst_ms)
    expect(devices[0].at_device).toMatchObject({ scan_count: 0, median_ms: null, p95_ms: null, worst_ms: null })
  })

  test('come with each answer, so that devices know what passed on the network', async () => {
    const { headers } = await scan()
    expect(headers.get('server-timing')).toMatch(/^gatehouse;dur=\d+$/)
  })

  test('are not those of batches, of refused requests or of check-in points that do not exist', slow, async () => {
    const device = await deviceAt(gate)
    expect((await scan({}, { accesspoint_id: 'f'.repeat(24) })).status).toBe(422)
    expect((await scan({ token: device.token }, { persons: 0 })).status).toBe(422)
    await testEvent.make('access_controls/batch_create.json', [{ accesspoint_id: gate, guest_uid: 'nobody' }])
    expect((await scan({ token: device.token })).status).toBe(201)
    await expect.poll(async () => (await times()).by_accesspoint).not.toEqual([])
    const { by_accesspoint } = await times()
    expect(by_accesspoint.map((each: { in_gatehouse: object }) => each.in_gatehouse)).toMatchObject([{ scan_count: 1 }])
  })

  test('of a device are what it reports: the steps of its times, what was slow, and whether for the network', async () => {
    const device = await deviceAt(gate)
    const fast = Array.from({ length: 17 }, () => atGate({ waited_ms: 90, gatehouse_ms: 12 }))
    const others = [
      atGate({ waited_ms: 1_000, gatehouse_ms: 900 }),
      atGate({ waited_ms: 1_001, gatehouse_ms: 900 }),
      atGate({ waited_ms: 4_321, gatehouse_ms: 40 }),
      atGate({ waited_ms: 15_000 }),
      atGate({}),
    ]
    const answer = await report(device.token, [...fast, ...others])
    expect([answer.status, answer.body]).toEqual([200, { count: 22 }])
    const at_device = {
      ...{ scan_count: 21, median_ms: 100, p95_ms: 5_000, worst_ms: 15_000 },
      ...{ slow_count: 3, unanswered_count: 1, slow_on_network_count: 1, alone_count: 1 },
    }
    const in_gatehouse = {
      ...{ scan_count: 0, median_ms: null, p95_ms: null, worst_ms: null },
      ...{ slow_count: 0, unanswered_count: 0 },
    }
    const { since, by_accesspoint, by_device } = await times()
    expect(by_accesspoint).toEqual([{ accesspoint_id: gate, in_gatehouse, at_device }])
    expect(by_device).toEqual([{ token_id: device._id, in_gatehouse, at_device }])
    expect(Date.now() - Date.parse(since)).toBeGreaterThanOrEqual(600_000)
  })

  test('of a report count once, however often it is sent and to however many processes at once', async () => {
    const device = await deviceAt()
    const report_key = randomUUID()
    const send = (url: string): Promise<Answer> =>
      testEvent.api(
        'PUT',
        'scan_times.json',
        { report_key, scans: [atGate({ waited_ms: 5, gatehouse_ms: 1 })] },
        { base: url, token: device.token },
      )
    await Promise.all(Array.from({ length: 12 }, (_, index) => send(system.urls[index % 2] as string)))
    const other = await deviceAt()
    await report(other.token, [atGate({ waited_ms: 5, gatehouse_ms: 1 })], report_key)
    const { by_accesspoint } = await times()
    expect(by_accesspoint[0].at_device.scan_count).toBe(2)
  })

  test('of reports that race all count', async () => {
    const devices = await Promise.all([deviceAt(), deviceAt(), deviceAt()])
    const sent = Array.from({ length: 30 }, (_, index) =>
      report((devices[index % 3] as Device).token, [atGate({ waited_ms: index, gatehouse_ms: 0 }), atGate({})]),
    )
    for (const { status } of await Promise.all(sent)) expect(status).toBe(200)
    const { by_accesspoint, by_device } = await times()
    expect(by_accesspoint[0].at_device).toMatchObject({ scan_count: 30, worst_ms: 29, alone_count: 30 })
    for (const { at_device } of by_device) expect(at_device).toMatchObject({ scan_count: 10, alone_count: 10 })
  })

  test('that are older than ten minutes, or of a check-in point that is not the device’s or the event’s, do not count', async () => {
    const device = await deviceAt(gate)
    const elsewhere = await testEvent.point('Elsewhere')
    const one = { waited_ms: 5, gatehouse_ms: 1 }
    const { body } = await report(device.token, [
      { ...one, accesspoint_id: gate, ago_ms: 600_001 },
      { ...one, accesspoint_id: elsewhere, ago_ms: 0 },
      { ...one, accesspoint_id: 'f'.repeat(24), ago_ms: 0 },
      { ...one, accesspoint_id: gate, ago_ms: 599_000 },
    ])
    expect(body).toEqual({ count: 1 })
    expect((await times()).by_accesspoint).toMatchObject([{ accesspoint_id: gate, at_device: { scan_count: 1 } }])
  })

  test('put the slowest first', async () => {
    const [quick, tardy] = [await deviceAt(), await deviceAt()]
    const other = await testEvent.point('Gate 4')
    await report(quick.token, [atGate({ waited_ms: 5, gatehouse_ms: 1 })])
    await report(tardy.token, [{ accesspoint_id: other, ago_ms: 0, waited_ms: 900, gatehouse_ms: 1 }])
    const { by_accesspoint, by_device } = await times()
    expect(by_accesspoint.map(({ accesspoint_id }: { accesspoint_id: string }) => accesspoint_id)).toEqual([
      other,
      gate,
    ])
    expect(by_device.map(({ token_id }: { token_id: string }) => token_id)).toEqual([tardy._id, quick._id])
  })

  test('that a slow network delays are slow on the device and fast in Gatehouse', slow, async () => {
    const device = await deviceAt()
    const network = await proxyTo(system.url)
    network.slow(600)
    const begun = performance.now()
    const { status, headers } = await scan({ base: network.url, token: device.token })
    const waited_ms = Math.round(performance.now() - begun)
    await network.close()
    expect(status).toBe(201)
    const gatehouse_ms = Number(/dur=(\d+)/.exec(headers.get('server-timing') ?? '')?.[1])
    await report(device.token, [atGate({ waited_ms, gatehouse_ms })])
    await expect.poll(async () => (await times()).by_device[0]?.in_gatehouse.scan_count).toBe(1)
    const [{ in_gatehouse, at_device }] = (await times()).by_device
    expect(at_device.worst_ms).toBeGreaterThanOrEqual(1_200)
    expect(at_device.worst_ms - in_gatehouse.worst_ms).toBeGreaterThanOrEqual(1_200)
    expect(at_device.slow_count).toBe(1)
  })
})
