import { expect, test } from 'vitest'
import { type ScanTimeReport, ScanTimes } from '../src/server/scan-times.ts'

const URL_OF = (name: string): string => `http://127.0.0.1/api/v1/events/e/${name}.json`
const scanOf = (accesspoint_id = 'north', name = 'access_controls', method = 'POST'): Request =>
  new Request(URL_OF(name), {
    method,
    headers: { 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify({ accesspoint_id }) }),
  })
const answering = (status: number, timing?: string) => async (): Promise<Response> =>
  new Response('{}', { status, headers: timing === undefined ? {} : { 'server-timing': timing } })

async function reported(times: ScanTimes): Promise<ScanTimeReport[]> {
  const reports: ScanTimeReport[] = []
  await times.report(async (report) => reports.push(report))
  return reports
}

test('scans and walk-ins are reported with the time in Gatehouse, and no other requests', async () => {
  const times = new ScanTimes()
  await times.measuring(scanOf('north'), answering(201, 'gatehouse;dur=12'))
  await times.measuring(scanOf('south', 'walk_ins'), answering(201, 'proxy;dur=1, gatehouse;dur=7'))
  await times.measuring(scanOf('', 'access_controls', 'GET'), answering(200))
  await times.measuring(scanOf('', 'access_controls/batch_create'), answering(201))
  const [report] = await reported(times)
  expect(report?.scans).toMatchObject([
    { accesspoint_id: 'north', gatehouse_ms: 12 },
    { accesspoint_id: 'south', gatehouse_ms: 7 },
  ])
  for (const { waited_ms } of report?.scans ?? []) expect(waited_ms).toBeGreaterThanOrEqual(0)
})

test('scans without an answer have no time in Gatehouse, refused ones are left out, and their ends reach the app', async () => {
  const times = new ScanTimes()
  const lost = times.measuring(scanOf(), () => Promise.reject(new TypeError('lost')))
  await expect(lost).rejects.toThrow('lost')
  expect((await times.measuring(scanOf(), answering(502))).status).toBe(502)
  expect((await times.measuring(scanOf(), answering(422))).status).toBe(422)
  const [report] = await reported(times)
  expect(report?.scans).toHaveLength(2)
  for (const scan of report?.scans ?? []) expect(scan).not.toHaveProperty('gatehouse_ms')
})

test('what the device decided alone has no times', async () => {
  const times = new ScanTimes()
  times.decidedAlone('north')
  const [report] = await reported(times)
  expect(report?.scans).toEqual([{ accesspoint_id: 'north', ago_ms: expect.any(Number) }])
})

test('a report without an answer is sent again under its id, and later scans in another one; nothing is sent without scans', async () => {
  const times = new ScanTimes()
  expect(await reported(times)).toEqual([])
  times.decidedAlone('first')
  const ids: string[] = []
  const failing = times.report(({ report_key }) => {
    ids.push(report_key)
    return Promise.reject(new Error('no answer'))
  })
  await expect(failing).rejects.toThrow('no answer')
  times.decidedAlone('second')
  const [again] = await reported(times)
  const [other] = await reported(times)
  expect(again?.report_key).toBe(ids[0])
  expect([again, other].map((report) => report?.scans.map((scan) => scan.accesspoint_id))).toEqual([
    ['first'],
    ['second'],
  ])
  expect(other?.report_key).not.toBe(ids[0])
  expect(await reported(times)).toEqual([])
})

test('of more than 500 scans the newest are reported', async () => {
  const times = new ScanTimes()
  for (let n = 0; n < 502; n++) times.decidedAlone(`${n}`)
  const [report] = await reported(times)
  expect(report?.scans).toHaveLength(500)
  expect(report?.scans[0]?.accesspoint_id).toBe('2')
})
