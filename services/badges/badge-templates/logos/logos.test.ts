// @module-tag slow

import { readPdf } from '@gatehouse/test/harness/pdf.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><rect width="40" height="10" fill="#c00000"/></svg>'
// 8 × 8 pixels.
const JPEG =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAABP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AIwBwz//2Q=='
const MM = 25.4 / 72

/** A picture of one colour. */
function pngOf(width: number, height: number): Uint8Array<ArrayBuffer> {
  const png = new PNG({ width, height })
  png.data.fill(128)
  return new Uint8Array(PNG.sync.write(png))
}

describe('the logo of a badge template', () => {
  let system: System
  let event: TestEvent

  beforeAll(async () => {
    system = await startSystem({ with: ['badges', 'partners'] })
    event = await TestEvent.open(system)
  })
  afterAll(() => system?.stop())

  const template = async (of = event): Promise<string> =>
    (await of.make('badge_templates.json', { name: 'Card', width_mm: 86, height_mm: 54, lines: [{ field: 'name' }] }))
      ._id

  const api = (path: string, init: RequestInit = {}, of = event) => {
    const headers = { authorization: `Bearer ${system.auth_token}`, ...init.headers }
    return fetch(`${system.url}/api/v1/events/${of.id}/${path}`, { ...init, headers })
  }

  const put = async (id: string, body: string | Uint8Array<ArrayBuffer>, type = 'image/svg+xml'): Promise<Answer> => {
    const answer = await api(`badge_templates/${id}/logo.json`, {
      method: 'PUT',
      body,
      headers: { 'content-type': type },
    })
    return { status: answer.status, body: await answer.json() } as Answer
  }

  const shown = async (id: string, of = event): Promise<PNG> => {
    const answer = await api(`badge_templates/${id}/logo.png`, {}, of)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    return PNG.sync.read(Buffer.from(await answer.arrayBuffer()))
  }

  const drawing = async (id: string): Promise<string> =>
    (await event.api('POST', 'badge_templates/drawing.json', { width_mm: 86, height_mm: 54, badge_template_id: id }))
      .body.svg

  test('of each type is printed as pixels on white, with 1,200 on its longer side', async () => {
    const id = await template()
    const jpeg = Buffer.from(JPEG, 'base64')
    const files = [
      [SVG, 'image/svg+xml', 1_200, 300],
      [pngOf(30, 60), 'image/png', 600, 1_200],
      [new Uint8Array(jpeg), 'image/jpeg', 1_200, 1_200],
    ] as const
    const ids = new Set<string>()
    for (const [body, type, width, height] of files) {
      const { status, body: answer } = await put(id, body, type)
      expect(status).toBe(200)
      ids.add(answer.logo_id)
      expect(await shown(id)).toMatchObject({ width, height, alpha: false })
    }
    expect(ids.size).toBe(3)
    expect((await event.read(`badge_templates/${id}.json`)).logo_id).toBe([...ids][2])
  })

  test('is on the drawing and the PDF, once in a file of many badges, and gone from both when it is deleted', async () => {
    const own = await TestEvent.open(system)
    const id = await template(own)
    const fields = { name: 'VIP', badge_enabled: true, badge_template_id: id }
    const { _id: guest_category_id } = await own.make('guest_categories.json', fields)
    for (const first_name of ['Ada', 'Grace', 'Mary'])
      await own.make('guests.json', { guest_category_id, uid: `of-${first_name}`, first_name, last_name: 'Noor' })
    const pdf = async () => {
      const bytes = new Uint8Array(await (await api('badges.pdf', {}, own)).arrayBuffer())
      const { text, pages } = await readPdf(bytes)
      const size = pages.map((page) => page.map((points) => Math.round(points * MM)))
      return {
        text,
        size,
        images:
          Buffer.from(bytes)
            .toString('latin1')
            .match(/\/Subtype \/Image/g)?.length ?? 0,
      }
    }
    const size = [1, 2, 3].map(() => [86, 54])
    const text = 'Ada Noor of-Ada Grace Noor of-Grace Mary Noor of-Mary'
    expect(await pdf()).toEqual({ text, size, images: 0 })
    const upload = { method: 'PUT', body: SVG, headers: { 'content-type': 'image/svg+xml' } }
    expect((await api(`badge_templates/${id}/logo.json`, upload, own)).status).toBe(200)
    expect(await pdf()).toEqual({ text, size, images: 1 })
    await own.remove(`badge_templates/${id}/logo.json`)
    expect(await pdf()).toEqual({ text, size, images: 0 })
  })

  test('is on the drawing of values that are not stored', async () => {
    const id = await template()
    expect(await drawing(id)).not.toContain('<image ')
    await put(id, SVG)
    expect(await drawing(id)).toContain('<image ')
  })

  test('that cannot be drawn, or has too many pixels, is refused, and the one before stays', async () => {
    const id = await template()
    await put(id, SVG)
    const before = await shown(id)
    const levels = Array.from({ length: 12 }, (_, level) => {
      return `<g id="l${level + 1}">${`<use href="#l${level}"/>`.repeat(10)}</g>`
    })
    const bomb = SVG.replace('<rect', '<rect id="l0"').replace('</svg>', `${levels.join('')}<use href="#l12"/></svg>`)
    const nested = `data:image/png;base64,${Buffer.from(pngOf(5_000, 1)).toString('base64')}`
    const large = SVG.replace('</svg>', `<image width="1" height="1" href="${nested}"/></svg>`)
    const cases = [
      [bomb, 'image/svg+xml', /cannot be read/],
      [large, 'image/svg+xml', /cannot be read/],
      [SVG.replace('</svg>', '<rect></svg>'), 'image/svg+xml', /cannot be read/],
      [pngOf(5_000, 1), 'image/png', /cannot be read/],
      [pngOf(30, 60).slice(0, 20), 'image/png', /cannot be read/],
      [SVG.replace('<rect', '<script/><rect'), 'image/svg+xml', /scripts/],
      [pngOf(3, 3), 'image/jpeg', /JPEG/],
    ] as const
    for (const [body, type, error] of cases) {
      const { status, body: answer } = await put(id, body, type)
      expect([status, answer.errors.file.join()]).toEqual([422, expect.stringMatching(error)])
    }
    expect(await shown(id)).toEqual(before)
  })

  test('is in a copy of its event, also after that of the original is deleted', async () => {
    const own = await TestEvent.open(system)
    const id = await template(own)
    const upload = { method: 'PUT', body: SVG, headers: { 'content-type': 'image/svg+xml' } }
    await api(`badge_templates/${id}/logo.json`, upload, own)
    const { body: copy } = await own.api('POST', 'copy.json', { title: 'Copy' })
    await own.remove(`badge_templates/${id}/logo.json`)
    const path = `events/${copy._id}/badge_templates`
    const [template_] = (await system.api('GET', `${path}.json`)).body
    const answer = await fetch(`${system.url}/api/v1/${path}/${template_._id}/logo.png`, {
      headers: { authorization: `Bearer ${system.auth_token}` },
    })
    expect(answer.status).toBe(200)
  })

  test('is kept for its template if the same picture was left over from another one', async () => {
    const own = await TestEvent.open(system)
    const upload = { method: 'PUT', body: SVG, headers: { 'content-type': 'image/svg+xml' } }
    const [first, second] = [await template(own), await template(own)]
    await api(`badge_templates/${first}/logo.json`, upload, own)
    await own.remove(`badge_templates/${first}/logo.json`)
    await using client = await new MongoClient(inject('mongodbUrl')).connect()
    const logos = client.db(`${system.namespace}_badges`).collection('badge_logos')
    const stored_at = new Date(0)
    expect((await logos.updateMany({ event_id: own.id }, { $set: { stored_at } })).modifiedCount).toBe(1)
    await api(`badge_templates/${second}/logo.json`, upload, own)
    // What was stored a moment ago, and is not named yet, is spared.
    expect(await logos.countDocuments({ event_id: own.id, stored_at })).toBe(0)
    expect(await shown(second, own)).toMatchObject({ width: 1_200, height: 300 })
  })

  test('is of its own event only', async () => {
    const id = await template()
    await put(id, SVG)
    const other = await TestEvent.open(system)
    expect((await api(`badge_templates/${id}/logo.png`, {}, other)).status).toBe(404)
    expect((await other.api('DELETE', `badge_templates/${id}/logo.json`)).status).toBe(404)
  })
})
