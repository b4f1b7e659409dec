import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { beforeEach, describe, expect, test } from 'vitest'

const system = await sharedSystem()

const PATH = 'blocked_recipients.json'
const TAKEN = { errors: { address: ['has already been taken'] } }

describe('blocked recipients', () => {
  let testEvent: TestEvent

  beforeEach(async () => {
    testEvent = await TestEvent.open(system)
  })

  test('addresses and domains are created, read, changed, listed in the order of creation and deleted', async () => {
    const address = await testEvent.make(PATH, { address: ' Ada@Example.org ', note: 'asked to' })
    expect(address).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      address: 'Ada@Example.org',
      note: 'asked to',
      event_id: testEvent.id,
      created_at: expect.stringMatching(/Z$/),
      updated_at: address.created_at,
    })
    const domain = await testEvent.make(PATH, { blocked_recipient: { address: 'bücher.example' } })
    expect(await testEvent.read(PATH)).toEqual([address, domain])
    await testEvent.change(`blocked_recipients/${domain._id}.json`, { address: 'example.net', note: 'x' })
    expect(await testEvent.read(`blocked_recipients/${domain._id}.json`)).toMatchObject({
      address: 'example.net',
      note: 'x',
    })
    await testEvent.remove(`blocked_recipients/${domain._id}.json`)
    expect(await testEvent.read(PATH)).toEqual([address])
  })

  test('the same recipient in other letters is refused, at creation and at a change, also by one of two at once', async () => {
    await testEvent.make(PATH, { address: 'ada@BÜCHER.example' })
    const { _id } = await testEvent.make(PATH, { address: 'example.org' })
    for (const address of ['ADA@bücher.example', 'ada@xn--bcher-kva.example']) {
      const creation = await testEvent.api('POST', PATH, { address })
      expect([creation.status, creation.body]).toEqual([422, TAKEN])
      const change = await testEvent.api('PUT', `blocked_recipients/${_id}.json`, { address })
      expect([change.status, change.body]).toEqual([422, TAKEN])
    }
    await testEvent.change(`blocked_recipients/${_id}.json`, { address: 'EXAMPLE.org' })
    const raced = await Promise.all(
      Array.from({ length: 10 }, () => testEvent.api('POST', PATH, { address: 'raced.example' })),
    )
    expect(raced.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)])
  })

  test.each(['@', 'a b@example.org', 'ada@', '@example.org', 'exa mple.org', 'http://example.org', 'a,b', '-'])(
    'what is neither an address nor a domain is 422: %s',
    async (address) => {
      const { status, body } = await testEvent.api('POST', PATH, { address })
      expect([status, body]).toEqual([422, { errors: { address: ['is neither an e-mail address nor a domain'] } }])
    },
  )

  test("another event's are 404 and stay", async () => {
    const { _id } = await testEvent.make(PATH, { address: 'example.org' })
    const other = await TestEvent.open(system)
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(
        (await other.api(method, `blocked_recipients/${_id}.json`, method === 'PUT' ? {} : undefined)).status,
      ).toBe(404)
    expect(await testEvent.read(PATH)).toHaveLength(1)
    await other.make(PATH, { address: 'example.org' })
  })
})
