// @module-tag slow
import { readPdf } from '@gatehouse/test/harness/pdf.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

const LINES = [
  { field: 'name', size: 20, weight: 'bold' },
  { field: 'diet', size: 12, weight: 'regular' },
]
const MM = 25.4 / 72

describe('badge templates', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  let system: System
  let event: TestEvent

  beforeAll(async () => {
    system = await startSystem({ with: ['badges', 'partners'] })
    event = await TestEvent.open(system)
  })
  afterAll(async () => {
    await system?.stop()
    await client.close()
  })

  const make = (fields: object = {}, of = event): Promise<Answer['body']> =>
    of.make('badge_templates.json', { name: 'Card', width_mm: 86, height_mm: 54, lines: LINES, ...fields })

  const category = async (badge_template_id: string | null, fields: object = {}): Promise<string> =>
    (await event.make('guest_categories.json', { name: 'VIP', badge_enabled: true, badge_template_id, ...fields }))._id

  const guest = (guest_category_id: string, fields: object = {}): Promise<Answer['body']> =>
    event.make('guests.json', { guest_category_id, first_name: 'Ada', last_name: 'Lovelace', ...fields })

  /** The text and the size in millimetres of a guest's badge; undefined while there is none. */
  async function badgeOf(id: string): Promise<{ text: string; size: number[] } | undefined> {
    const { badge_completed, badge_url } = await event.read(`guests/${id}.json`)
    if (!badge_completed) return undefined
    const answer = await fetch(badge_url)
    if (answer.status !== 200) return undefined
    const { text, pages } = await readPdf(new Uint8Array(await answer.arrayBuffer()))
    return { text, size: pages.flat().map((points) => Math.round(points * MM)) }
  }

  const CARD = [86, 54]
  const A6 = [105, 148]

  test('a badge is made by the template of the guest’s category', async () => {
    const { _id } = await make()
    const made = await guest(await category(_id), { guest_metadata: [{ name: 'diet', value: 'vegan' }] })
    await expect.poll(() => badgeOf(made._id)).toEqual({ text: `Ada Lovelace vegan ${made.uid}`, size: CARD })
  })

  test('without a template the badge is the usual one', async () => {
    const made = await guest(await category(null))
    await expect.poll(() => badgeOf(made._id)).toEqual({ text: 'VIP Ada Lovelace', size: A6 })
  })

  test('changing a template makes its badges anew', async () => {
    const { _id } = await make()
    const made = await guest(await category(_id))
    await expect.poll(() => badgeOf(made._id)).toEqual({ text: `Ada Lovelace ${made.uid}`, size: CARD })
    await event.change(`badge_templates/${_id}.json`, { lines: [{ field: 'last_name' }], height_mm: 60 })
    await expect.poll(() => badgeOf(made._id)).toEqual({ text: `Lovelace ${made.uid}`, size: [86, 60] })
  })

  test('a category that is given a template, or another one, makes its badges anew', async () => {
    const id = await category(null)
    const made = await guest(id)
    await expect.poll(() => badgeOf(made._id)).toMatchObject({ size: A6 })
    await event.change(`guest_categories/${id}.json`, { badge_template_id: (await make())._id })
    await expect.poll(() => badgeOf(made._id)).toMatchObject({ size: CARD })
    await event.change(`guest_categories/${id}.json`, { badge_template_id: null })
    await expect.poll(() => badgeOf(made._id)).toMatchObject({ size: A6 })
  })

  test('a change of metadata makes a badge by a template anew, and no other', async () => {
    const usual = await guest(await category(null))
    const made = await guest(await category((await make())._id))
    for (const { _id } of [usual, made]) await expect.poll(() => badgeOf(_id)).toBeDefined()
    const guest_metadata = [{ name: 'diet', value: 'none' }]
    for (const { _id } of [usual, made]) await event.change(`guests/${_id}.json`, { guest_metadata })
    expect((await event.read(`guests/${usual._id}.json`)).badge_completed).toBe(true)
    await expect.poll(() => badgeOf(made._id)).toMatchObject({ text: `Ada Lovelace none ${made.uid}` })
  })

  test('after a template is deleted, its categories name none and have the usual badge', async () => {
    const { _id } = await make()
    const id = await category(_id)
    const made = await guest(id)
    await expect.poll(() => badgeOf(made._id)).toMatchObject({ size: CARD })
    await event.remove(`badge_templates/${_id}.json`)
    expect((await event.api('GET', `badge_templates/${_id}.json`)).status).toBe(404)
    expect((await event.read(`guest_categories/${id}.json`)).badge_template_id).toBeNull()
    await expect.poll(() => badgeOf(made._id)).toMatchObject({ size: A6 })
  })

  /** The status, text and size of a preview. */
  async function previewOf(of: TestEvent, path: string): Promise<unknown[]> {
    const url = `${system.url}/api/v1/events/${of.id}/badge_templates/${path}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${system.auth_token}` } })
    if (answer.status !== 200) return [answer.status]
    const { text, pages } = await readPdf(new Uint8Array(await answer.arrayBuffer()))
    return [answer.status, text, pages.flat().map((points) => Math.round(points * MM))]
  }

  test('a preview shows the badge of a guest, or of the one with the longest name, without making any', async () => {
    const own = await TestEvent.open(system)
    const { _id } = await make({}, own)
    expect(await previewOf(own, `${_id}/preview.pdf`)).toEqual([200, 'name diet 0123456789', CARD])
    const vip = await own.category('VIP')
    const ada = await own.guest(vip, 'ada', { first_name: 'Ada', last_name: 'Lovelace' })
    await own.guest(vip, 'mary', {
      first_name: 'Mary',
      last_name: 'Featherstonehaugh',
      guest_metadata: [{ name: 'diet', value: 'vegan' }],
    })
    expect(await previewOf(own, `${_id}/preview.pdf`)).toEqual([200, 'Mary Featherstonehaugh vegan mary', CARD])
    expect(await previewOf(own, `${_id}/preview.pdf?guest_id=${ada}`)).toEqual([200, 'Ada Lovelace ada', CARD])
    expect((await own.read('guests.json')).some(({ badge_completed }: Answer['body']) => badge_completed)).toBe(false)
  })

  test('a template that is not stored is drawn with the longest name, or a guest, and says which lines are smaller', async () => {
    const own = await TestEvent.open(system)
    const design = { width_mm: 86, height_mm: 54, lines: [{ field: 'name', size: 40, weight: 'bold' }] }
    const draw = async (fields: object) => {
      const { status, body } = await own.api('POST', 'badge_templates/drawing.json', fields)
      expect(status).toBe(200)
      return body
    }
    expect(await draw({ is_usual: true })).toMatchObject({ guest_id: null, svg: expect.stringContaining('<svg') })
    expect(await draw(design)).toMatchObject({ guest_id: null, lines: [{ text: 'name', size: 40, printed_size: 40 }] })
    const vip = await own.category('VIP')
    const ada = await own.guest(vip, 'ada', { first_name: 'Ada', last_name: 'Lovelace' })
    const mary = await own.guest(vip, 'mary', { first_name: 'Mary', last_name: 'Featherstonehaugh' })
    const drawn = await draw(design)
    expect(drawn).toMatchObject({ guest_id: mary, lines: [{ text: 'Mary Featherstonehaugh', size: 40 }] })
    expect(drawn.lines[0].printed_size).toBeLessThan(40)
    expect(drawn.svg).toMatch(/^<svg .*width="86mm" height="54mm"/)
    expect((await draw({ ...design, guest_id: ada })).lines).toMatchObject([{ text: 'Ada Lovelace' }])
    const usual = await draw({ ...design, is_usual: true })
    expect(usual).toMatchObject({ guest_id: mary, lines: [] })
    expect(usual.svg).toMatch(/^<svg .*width="105(\.\d+)?mm" height="148(\.\d+)?mm"/)
    expect(await own.read('badge_templates.json')).toEqual([])
  })

  test('a preview is of guests of its own event only', async () => {
    const { _id } = await make()
    const other = await TestEvent.open(system)
    const ada = await other.guest(await other.category('VIP'), 'ada')
    expect(await previewOf(event, `${_id}/preview.pdf?guest_id=${ada}`)).toEqual([404])
    expect(await previewOf(other, `${_id}/preview.pdf`)).toEqual([404])
  })

  test('a category takes only a template of its own event', async () => {
    const other = await make({}, await TestEvent.open(system))
    for (const badge_template_id of [other._id, 'f'.repeat(24)]) {
      const answer = await event.api('POST', 'guest_categories.json', { name: 'Press', badge_template_id })
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { badge_template_id: ['is not a badge template of the event'] },
      ])
    }
  })

  test('sizes are 20 to 300 mm, and a colour is one of six digits', async () => {
    const wrong = { name: 'x', width_mm: 19, height_mm: 301, colour: 'red', lines: [{ field: 'name', size: 4 }] }
    const { status, body } = await event.api('POST', 'badge_templates.json', wrong)
    expect([status, Object.keys(body.errors).sort()]).toEqual([
      422,
      ['colour', 'height_mm', 'lines.0.size', 'width_mm'],
    ])
  })

  test('a copy of an event has its templates, which the copied categories name', async () => {
    const original = await TestEvent.open(system)
    const { _id: badge_template_id } = await make({ name: 'Lanyard' }, original)
    await original.make('guest_categories.json', { name: 'VIP', badge_template_id })
    const { body } = await original.api('POST', 'copy.json', { title: 'Copy' })
    const read = async (path: string) => (await system.api('GET', `events/${body._id}/${path}.json`)).body
    const [template] = await read('badge_templates')
    expect(template).toMatchObject({ name: 'Lanyard', width_mm: 86, event_id: body._id })
    expect(template._id).not.toBe(badge_template_id)
    expect((await read('guest_categories'))[0].badge_template_id).toBe(template._id)
  })

  test('badges that a process which died has not ordered are ordered by the next one', async () => {
    const { _id } = await make()
    const made = await guest(await category(_id))
    await expect.poll(() => badgeOf(made._id)).toMatchObject({ size: CARD })
    const templates = client.db(`${system.namespace}_badges`).collection<{ _id: string }>('badge_templates')
    await templates.updateOne({ _id }, { $set: { width_mm: 90, orders_due: new Date(Date.now() - 60_000) } })
    const replica = await startReplica('badges', system)
    await expect.poll(() => badgeOf(made._id)).toMatchObject({ size: [90, 54] })
    await expect.poll(() => templates.findOne({ _id })).not.toHaveProperty('orders_due')
    await replica.stop()
  })
})
