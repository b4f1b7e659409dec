import { randomBytes } from 'node:crypto'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'

const system = await sharedSystem()

const MiB = 1024 * 1024
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const files: [string, string, Buffer][] = [
  ['application/pdf', 'pdf', Buffer.from('%PDF-1.7\n%âãÏÓ\n')],
  ['image/png', 'png', PNG],
  ['image/jpeg', 'jpg', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(100)])],
  ['image/webp', 'webp', Buffer.concat([Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), randomBytes(100)])],
  ['image/gif', 'gif', Buffer.concat([Buffer.from('GIF89a'), randomBytes(100)])],
]

describe('files of guests', () => {
  const client = new MongoClient(inject('mongodbUrl'))
  let testEvent: TestEvent
  let category: string
  let guest: string

  beforeAll(async () => {
    testEvent = await TestEvent.open(system)
    category = await testEvent.category()
    for (const key of ['passport', 'photo', 'id.card']) {
      await testEvent.make('guest_fields.json', { key, label: `The ${key}`, type: 'file' })
    }
    await testEvent.make('guest_fields.json', { key: 'shirt', type: 'text' })
    guest = await testEvent.guest(category, 'ada')
  })
  afterAll(async () => {
    await client.close()
  })

  const path = (key: string, id = guest): string => `guests/${id}/files/${key}`

  const put = (address: string, type: string, bytes: Buffer, event = testEvent): Promise<Answer> =>
    event.api('PUT', address, bytes, { headers: { 'content-type': type } })

  async function get(url: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
    const address = new URL(url)
    address.searchParams.set('auth_token', system.auth_token)
    const answer = await fetch(address)
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  test.each(files)(
    '%s goes in and comes out as it was, to be saved and never to be run',
    async (type, suffix, bytes) => {
      const filename = encodeURIComponent(`Ada’s scan.${suffix}`)
      const stored = await put(`${path('passport')}.json?filename=${filename}`, type, bytes)
      expect(stored.status, stored.text).toBe(200)
      expect(stored.body).toEqual({
        key: 'passport',
        label: 'The passport',
        filename: `Ada’s scan.${suffix}`,
        content_type: type,
        size: bytes.length,
        url: `${system.url}/api/v1/events/${testEvent.id}/${path('passport')}.${suffix}`,
        created_at: expect.any(String),
      })
      const { status, headers, bytes: got } = await get(stored.body.url)
      expect([status, got.equals(bytes)]).toEqual([200, true])
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': type,
        'content-disposition': `attachment; filename*=UTF-8''Ada%E2%80%99s%20scan.${suffix}`,
        'x-content-type-options': 'nosniff',
      })
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    },
  )

  test('a file of 5 MiB is stored whole; one byte more is 413', slow, async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(5 * MiB - 9)])
    const { status, body } = await put(`${path('photo')}.json`, 'application/pdf', bytes)
    expect([status, body.size, body.filename]).toEqual([200, 5 * MiB, 'photo.pdf'])
    expect((await get(body.url)).bytes.equals(bytes)).toBe(true)
    const tooLarge = Buffer.concat([bytes, Buffer.from('x')])
    expect((await put(`${path('photo')}.json`, 'application/pdf', tooLarge)).status).toBe(413)
    expect((await get(body.url)).bytes.equals(bytes)).toBe(true)
  })

  test('another type is 415; bytes that do not match their type, or no bytes, are 422', slow, async () => {
    for (const type of ['image/svg+xml', 'text/html', 'application/json', 'application/octet-stream']) {
      expect([type, (await put(`${path('id.card')}.json`, type, PNG)).status]).toEqual([type, 415])
    }
    for (const [type, , bytes] of files) {
      const wrong = await put(`${path('id.card')}.json`, type, Buffer.from('<script>alert(1)</script>'))
      expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['file']])
      const cut = await put(`${path('id.card')}.json`, type, bytes.subarray(0, 2))
      expect([type, cut.status]).toEqual([type, 422])
    }
    expect((await put(`${path('id.card')}.json`, 'image/png', Buffer.alloc(0))).status).toBe(422)
    expect((await testEvent.api('GET', `${path('id.card')}.json`)).status).toBe(404)
  })

  test('only guest fields of the type file have files', async () => {
    const text = await put(`${path('shirt')}.json`, 'image/png', PNG)
    expect([text.status, text.body.errors]).toEqual([422, { key: ['is not a guest field of type file'] }])
    const odd = await put(`${path('shirt')}.json`, 'image/png', Buffer.from('GIF89a'))
    expect(odd.body.errors).toEqual({ ...text.body.errors, file: ['is not a PNG file'] })
    expect((await put(`${path('unknown')}.json`, 'image/png', PNG)).status).toBe(404)
  })

  test('a guest of another event, or a key without a file, is 404', async () => {
    const other = await TestEvent.open(system)
    await other.make('guest_fields.json', { key: 'passport', type: 'file' })
    expect((await put(`${path('passport')}.json`, 'image/png', PNG, other)).status).toBe(404)
    expect((await other.api('GET', `${path('passport')}.json`)).status).toBe(404)
    expect((await other.api('DELETE', `${path('passport')}.json`)).status).toBe(404)
    await put(`${path('passport')}.json`, 'image/png', PNG)
    const { body } = await testEvent.api('GET', `${path('passport')}.json`)
    expect((await get(body.url.replace('.png', '.pdf'))).status).toBe(404)
  })

  test('names of files lose folders and characters that file systems do not allow', async () => {
    const named = async (filename: string): Promise<string> => {
      const { body } = await put(`${path('photo')}.json?filename=${encodeURIComponent(filename)}`, 'image/png', PNG)
      return body.filename
    }
    expect(await named('../../etc/passwd')).toBe('passwd')
    expect(await named('C:\\Users\\ada\\me.png')).toBe('me.png')
    expect(await named('a\r\nSet-Cookie: x="1".png')).toBe('aSet-Cookie x=1.png')
    expect(await named('\u202egnp.exe')).toBe('gnp.exe')
    expect(await named('///')).toBe('photo.png')
  })

  test('files are included in a guest on request, and are listed, replaced and deleted', async () => {
    const id = await testEvent.guest(category, 'grace')
    expect((await testEvent.read(`guests/${id}.json?files=true`)).files).toEqual([])
    const first = (await put(`${path('photo', id)}.json`, 'image/png', PNG)).body
    const second = (await put(`${path('id.card', id)}.json`, 'application/pdf', files[0]?.[2] as Buffer)).body
    const guestShown = await testEvent.read(`guests/${id}.json?files=true`)
    expect(guestShown.files).toHaveLength(2)
    expect(guestShown.files[0]).toEqual(second)
    const url = expect.stringMatching(/files\/id\.card\.pdf$/)
    expect(second).toMatchObject({ key: 'id.card', label: 'The id.card', url })
    expect((await get(second.url)).status).toBe(200)
    const listed = await testEvent.read('guests.json?uid=grace&files=true')
    expect(listed[0].files).toEqual(guestShown.files)
    expect(await testEvent.read(`guests/${id}/files.json`)).toMatchObject([{ key: 'id.card' }, { key: 'photo' }])

    await put(`${path('photo', id)}.json`, 'image/gif', files[4]?.[2] as Buffer)
    expect((await get(first.url)).status).toBe(404)
    expect((await testEvent.read(`${path('photo', id)}.json`)).content_type).toBe('image/gif')
    await testEvent.remove(`${path('photo', id)}.json`)
    expect((await testEvent.api('GET', `${path('photo', id)}.json`)).status).toBe(404)
    expect((await testEvent.api('DELETE', `${path('photo', id)}.json`)).status).toBe(404)
  })

  test('files are deleted with their guest', async () => {
    const id = await testEvent.guest(category, 'leaving')
    const { body } = await put(`${path('photo', id)}.json`, 'image/png', PNG)
    await testEvent.remove(`guests/${id}.json`)
    expect((await get(body.url)).status).toBe(404)
    const stored = client.db(`${system.namespace}_badges`).collection('files')
    await vi.waitFor(async () => expect(await stored.countDocuments({ guest_id: id })).toBe(0), 60_000)
    expect((await put(`${path('photo', id)}.json`, 'image/png', PNG)).status).toBe(404)
    expect(await stored.countDocuments({ guest_id: id })).toBe(0)
  })

  test('one of several concurrent uploads is stored whole', async () => {
    const id = await testEvent.guest(category, 'racing')
    const all = Array.from({ length: 8 }, (_, index) => Buffer.concat([PNG, Buffer.alloc(50_000, index)]))
    const answers = await Promise.all(all.map((bytes) => put(`${path('photo', id)}.json`, 'image/png', bytes)))
    expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200))
    const { bytes } = await get(answers[0]?.body.url)
    expect(all.some((each) => each.equals(bytes))).toBe(true)
  })
})
