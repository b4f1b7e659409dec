import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const BATCH = 'signatures/batch_create'
const STAMP = '2026-05-01T08:00:00.000Z'
const LINE = { x1: '1', y1: '2', x2: '3.5', y2: '-4', 'stroke-width': '2' }
const POINTS = { width: '300', height: '150.5', lines: [LINE] }

describe('signatures', () => {
  let testEvent: TestEvent
  let door: string

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    door = await testEvent.point()
    await testEvent.guest(await testEvent.category(), 'ada')
  })

  const signature = (fields: object = {}): object => ({
    accesspoint_id: door,
    guest_uid: 'ada',
    points: POINTS,
    ...fields,
  })
  const sign = (fields: object = {}): Promise<Answer['body']> => testEvent.make('signatures.json', signature(fields))
  const errorsOf = async (body: object): Promise<string[]> =>
    Object.keys(await testEvent.refused('signatures.json', body)).sort()

  test('creation answers 201 with the signature', async () => {
    const made = await sign({ access_stamp: STAMP })
    expect(made).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      access_stamp: STAMP,
      guest_uid: 'ada',
      accesspoint_id: door,
      points: POINTS,
      event_id: testEvent.id,
      created_at: expect.any(String),
      updated_at: made.created_at,
    })
  })

  test('the server’s time stands in for a missing access_stamp; a device’s time stays apart from created_at', async () => {
    const now = await sign()
    expect(now.access_stamp).toBe(now.created_at)
    expect(Math.abs(Date.parse(now.access_stamp) - Date.now())).toBeLessThan(60_000)
    const old = await sign({ access_stamp: '2001-01-01T00:00:00Z' })
    expect(old.access_stamp).toBe('2001-01-01T00:00:00.000Z')
    expect(old.created_at > '2020').toBe(true)
  })

  test('XML: points with lines of type array, and stroke-width under its own name', async () => {
    const own = await TestEvent.open(system)
    const point = await own.point()
    await own.guest(await own.category(), 'ada')
    const line = '<line><x1>1</x1><y1>2</y1><x2>3.5</x2><y2>-4</y2><stroke-width>2</stroke-width></line>'
    const drawing = `<points><width>300</width><height>150.5</height><lines type="array">${line}${line}</lines></points>`
    const document = `<signature><accesspoint-id>${point}</accesspoint-id><guest-uid>ada</guest-uid><access-stamp type="datetime">${STAMP}</access-stamp>${drawing}</signature>`
    const made = await own.xml('POST', 'signatures.xml', document)
    expect(made.status, made.text).toBe(201)
    const [stored] = await own.read('signatures.json')
    expect(stored.points).toEqual({ ...POINTS, lines: [LINE, LINE] })
    expect(made.text).toContain(drawing)
    expect((await own.xml('GET', 'signatures.xml')).text).toContain(drawing)
  })

  test('numbers are read and go out as numeric strings; stroke-width may be left out', async () => {
    const line = { x1: 1, y1: 2.5, x2: -3, y2: 0 }
    const made = await sign({ points: { width: 300, height: 150.5, lines: [line] } })
    expect(made.points).toEqual({ width: '300', height: '150.5', lines: [{ x1: '1', y1: '2.5', x2: '-3', y2: '0' }] })
    const empty = await sign({ points: { width: '1', height: '1', lines: [] } })
    expect(empty.points.lines).toEqual([])
  })

  test('5,000 lines are accepted, 5,001 refused', slow, async () => {
    const lines = Array(5_000).fill(LINE)
    const made = await sign({ points: { ...POINTS, lines } })
    expect(made.points.lines).toHaveLength(5_000)
    expect(await errorsOf(signature({ points: { ...POINTS, lines: [...lines, LINE] } }))).toEqual(['points.lines'])
  })

  test('points must have width, height and lines of numbers, and keep nothing else', async () => {
    const bad: [unknown, string[]][] = [
      [undefined, ['points']],
      ['drawing', ['points']],
      [[], ['points']],
      [{}, ['points.height', 'points.lines', 'points.width']],
      [{ ...POINTS, width: 'wide' }, ['points.width']],
      [{ ...POINTS, height: '1'.repeat(40) }, ['points.height']],
      [{ ...POINTS, lines: {} }, ['points.lines']],
      [{ ...POINTS, lines: [LINE, { ...LINE, x1: 'left' }] }, ['points.lines.1.x1']],
      [{ ...POINTS, lines: [LINE, { x1: '1', y1: '1', x2: '1' }] }, ['points.lines.1.y2']],
      [{ ...POINTS, lines: [{ ...LINE, 'stroke-width': 'thick' }] }, ['points.lines.0.stroke-width']],
      [{ ...POINTS, lines: ['line'] }, ['points.lines.0']],
    ]
    for (const [points, fields] of bad) expect(await errorsOf(signature({ points }))).toEqual(fields)
    expect((await sign({ points: { ...POINTS, colour: 'red', $where: '1' } })).points).toEqual(POINTS)
  })

  test('the check-in point and the guest must be of the event', async () => {
    const other = await TestEvent.open(system)
    const strange = await other.point()
    await other.guest(await other.category(), 'elsewhere')
    expect(await errorsOf(signature({ accesspoint_id: strange }))).toEqual(['accesspoint_id'])
    expect(await errorsOf(signature({ guest_uid: 'elsewhere' }))).toEqual(['guest_uid'])
    expect(await errorsOf(signature({ accesspoint_id: strange, guest_uid: 'nobody' }))).toEqual([
      'accesspoint_id',
      'guest_uid',
    ])
    expect(await errorsOf({})).toEqual(['accesspoint_id', 'guest_uid', 'points'])
    expect(await errorsOf(signature({ access_stamp: 'soon' }))).toEqual(['access_stamp'])
  })

  test('a deleted guest cannot sign, a new one can', async () => {
    const category = await testEvent.category()
    const guest = await testEvent.guest(category, 'brief')
    await sign({ guest_uid: 'brief' })
    await testEvent.remove(`guests/${guest}.json`)
    expect(await errorsOf(signature({ guest_uid: 'brief' }))).toEqual(['guest_uid'])
    await testEvent.guest(category, 'brief')
    await sign({ guest_uid: 'brief' })
  })

  test('the list has the highest access stamp first, pages of 500, and ends with an empty array', async () => {
    const own = await TestEvent.open(system)
    const point = await own.point()
    await own.guest(await own.category(), 'ada')
    const items = Array.from({ length: 502 }, (_, n) => ({
      ...signature({ accesspoint_id: point }),
      access_stamp: new Date(Date.UTC(2027, 0, 1) + ((n * 37) % 502) * 1_000).toISOString(),
    }))
    await own.make(`${BATCH}.json`, items)
    const pages = [await own.read('signatures.json'), await own.read('signatures.json?page=2')]
    expect(pages.map(({ length }) => length)).toEqual([500, 2])
    expect(await own.read('signatures.json?page=3')).toEqual([])
    const stamps = pages.flat().map(({ access_stamp }) => access_stamp)
    const given = items.map(({ access_stamp }) => access_stamp)
    expect(stamps).toEqual(given.sort().reverse())
    expect((await system.api('GET', `events/${own.id}.json`)).body.signature_count).toBe(502)
    expect((await own.read('statistics.json')).signature_count).toBe(502)
  })

  test('a page holds 10 MiB of drawings, the newest first; smaller pages hold them all', deep, async () => {
    const own = await TestEvent.open(system)
    const at = await own.point()
    await own.guest(await own.category(), 'ada')
    const number = '1234.567890123456789012345678901'
    const line = { x1: number, y1: number, x2: number, y2: number, 'stroke-width': number }
    const points = { width: '1', height: '1', lines: Array.from({ length: 5_000 }, () => line) }
    // Seven fit into one request.
    for (const minute of [1, 2, 3]) {
      const stamps = Array.from({ length: 7 }, (_, second) => `2026-05-01T10:0${minute}:0${second}Z`)
      const items = stamps.map((access_stamp) => ({ accesspoint_id: at, guest_uid: 'ada', access_stamp, points }))
      await own.make('signatures/batch_create.json', items)
    }
    const page = await own.read('signatures.json')
    expect(page).toHaveLength(21)
    const drawn = page.map((each: object) => 'points' in each)
    const held = drawn.filter(Boolean).length
    expect(held).toBeGreaterThan(5)
    expect(held).toBeLessThan(15)
    expect(drawn).toEqual(page.map((_: object, index: number) => index < held))
    expect(page[0].points).toEqual(points)
    expect(JSON.stringify(page)).not.toContain('points_size')
    const all = await own.all('signatures.json', 5)
    expect(all.map(({ _id }) => _id)).toEqual(page.map(({ _id }: { _id: string }) => _id))
    for (const each of all) expect(each.points.lines).toHaveLength(5_000)
    expect((await own.api('GET', 'signatures.xml')).text.match(/<points>/g)).toHaveLength(held)
  })

  describe('in batches', () => {
    let own: TestEvent
    let point: string
    beforeAll(async () => {
      own = await TestEvent.open(system)
      point = await own.point()
      const category = await own.category()
      for (const uid of ['ada', 'bob']) await own.guest(category, uid)
    })

    const item = (guest_uid: string, fields: object = {}): object => ({
      accesspoint_id: point,
      guest_uid,
      points: POINTS,
      ...fields,
    })

    test('the answer is 201 with the created signatures in order if all are good', async () => {
      const created = await own.make(`${BATCH}.json`, [item('bob'), item('ada')])
      expect(created).toMatchObject([{ guest_uid: 'bob' }, { guest_uid: 'ada' }])
      expect(await own.all('signatures.json')).toEqual(expect.arrayContaining(created))
      expect(await own.make(`${BATCH}.json`, [])).toEqual([])
    })

    test('the answer is 422 with the submitted length and order if one is bad, and the good ones are stored', async () => {
      const before = (await own.all('signatures.json')).length
      const answer = await own.api('POST', `${BATCH}.json`, [
        item('ada'),
        item('nobody'),
        {},
        item('bob', { points: { width: '1' } }),
        item('ada', { accesspoint_id: 'nowhere' }),
        7,
        item('bob'),
      ])
      expect(answer.status).toBe(422)
      expect(
        answer.body.map((each: Answer['body']) => each.guest_uid ?? Object.keys(each.errors).sort().join()),
      ).toEqual([
        'ada',
        'guest_uid',
        'accesspoint_id,guest_uid,points',
        'points.height,points.lines',
        'accesspoint_id',
        'base',
        'bob',
      ])
      expect(await own.all('signatures.json')).toHaveLength(before + 2)
      expect((await own.api('POST', `${BATCH}.json`, {})).status).toBe(422)
    })

    test('a refused item of a batch has its codes beside its sentences for who accepts problem+json', async () => {
      const [plain] = (await own.api('POST', `${BATCH}.json`, [item('')])).body
      expect(plain).toEqual({ errors: { guest_uid: ["can't be blank"] } })
      const headers = { accept: 'application/json, application/problem+json' }
      const [coded] = (await own.api('POST', `${BATCH}.json`, [item('')], { headers })).body
      expect(coded).toEqual({ ...plain, codes: { guest_uid: [{ code: 'blank' }] } })
      const xml = await own.api('POST', `${BATCH}.xml`, [item('')], { headers })
      expect(xml.text).not.toContain('codes')
    })

    test('a signature that is sent again with its stamp, or twice in a batch, is stored once', async () => {
      const before = (await own.all('signatures.json')).length
      const items = [item('ada', { access_stamp: STAMP }), item('bob', { access_stamp: STAMP })]
      const first = await own.make(`${BATCH}.json`, [...items, items[0]])
      expect(first[2]).toEqual(first[0])
      expect(await own.make(`${BATCH}.json`, items)).toEqual(first.slice(0, 2))
      const redrawn = item('ada', { access_stamp: STAMP, points: { width: '1', height: '1', lines: [] } })
      const [kept] = await own.make(`${BATCH}.json`, [redrawn])
      expect(kept).toEqual(first[0])
      expect(await own.all('signatures.json')).toHaveLength(before + 2)
      const answers = await Promise.all(
        Array.from({ length: 5 }, () =>
          own.api('POST', `${BATCH}.json`, [item('ada', { access_stamp: '2026-06-01' })]),
        ),
      )
      for (const answer of answers) expect([answer.status, answer.body]).toEqual([201, answers[0]?.body])
      expect(await own.all('signatures.json')).toHaveLength(before + 3)
    })
  })
})
