// @module-tag slow
import { events, guests } from '@gatehouse/guests/resources'
import { partnerCampaigns, partnerPages } from '@gatehouse/partners/resources'
import type { Action, Resource } from '@gatehouse/proto/declaring/resource.ts'
import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Overload } from './overload.ts'

/* Handlers that answer when the test says so, in place of services: what they take is all that is measured. */

const DEADLINE_MS = 2_000
/** Requests of a kind that always wait. */
const ALWAYS = 256

let overload: Overload
beforeEach(() => {
  overload = new Overload(DEADLINE_MS)
})
afterEach(() => overload.stop())

/** Requests of an action, each of which is answered by a call of `answer`. */
function requestsOf(resource: Resource, action: Action) {
  const waiting: (() => void)[] = []
  const gate = overload.gateOf(resource, action)
  const method = action.route?.split(' ', 1)[0] ?? 'GET'
  const request = { method } as FastifyRequest
  let refused = 0
  const seconds = new Set<number>()
  return {
    /** Sends requests. */
    send(count: number): void {
      for (let n = 0; n < count; n++)
        void gate
          .admit(request, () => new Promise<void>((resolve) => waiting.push(resolve)))
          .catch(({ code, retryAfter }) => {
            if (code === 'unavailable') refused++
            seconds.add(retryAfter)
          })
    },
    /** Answers all that wait. */
    answer(): void {
      for (const each of waiting.splice(0)) each()
    },
    get refused(): number {
      return refused
    },
    retryAfter: seconds,
  }
}

describe('too many requests are refused early, the door last', () => {
  test('without delays nothing is refused, however many come at once', async () => {
    const lists = requestsOf(guests, guests.actions.list)
    for (let round = 0; round < 5; round++) {
      lists.send(1_000)
      await new Promise((resolve) => setTimeout(resolve, 20))
      lists.answer()
    }
    expect(lists.refused).toBe(0)
  })

  test('while the door is slow, lists are refused beyond a few; these and the door go on', async () => {
    const door = requestsOf(events, events.actions.read)
    const lists = requestsOf(guests, guests.actions.list)
    door.send(10)
    // Nothing is answered from now on: a delay for all.
    await expect
      .poll(() => {
        lists.send(10)
        return lists.refused
      })
      .toBeGreaterThan(100)
    expect(door.refused).toBe(0)
    expect([...lists.retryAfter]).toEqual([5])
    door.send(40)
    expect(door.refused).toBe(0)
  })

  test('a delay of one service refuses single requests there, and none of another', async () => {
    const writes = requestsOf(partnerCampaigns, partnerCampaigns.actions.resume)
    const slow = requestsOf(guests, { route: 'GET x', scope: 'read' })
    const fine = requestsOf(partnerCampaigns, { route: 'GET x', scope: 'read' })
    slow.send(ALWAYS)
    await expect
      .poll(() => {
        slow.send(10)
        return slow.refused
      })
      .toBeGreaterThan(20)
    writes.send(1_000)
    fine.send(1_000)
    await expect.poll(() => [writes.refused, fine.refused]).toEqual([0, 0])
    expect([...slow.retryAfter]).toEqual([2])
  })

  test('pages that many strangers ask for are refused, and requests with a token at the same service are not', async () => {
    const pages = requestsOf(partnerPages, partnerPages.actions.handle)
    const reads = requestsOf(partnerCampaigns, { route: 'GET x', scope: 'read' })
    pages.send(ALWAYS)
    await expect
      .poll(() => {
        pages.send(10)
        reads.send(30)
        reads.answer()
        return pages.refused
      })
      .toBeGreaterThan(100)
    expect(reads.refused).toBe(0)
    expect([...pages.retryAfter]).toEqual([2])
  })

  test('writes which rightly take long are no delay, however many are in work', async () => {
    const writes = requestsOf(partnerCampaigns, partnerCampaigns.actions.resume)
    const looks = requestsOf(guests, guests.actions.list)
    writes.send(100)
    // Lists of another service show that delays are being looked at.
    await expect
      .poll(() => {
        looks.send(10)
        return looks.refused
      })
      .toBeGreaterThan(100)
    writes.send(1_000)
    expect(writes.refused).toBe(0)
  })

  test('one slow answer among fast ones refuses nothing', async () => {
    const slow = requestsOf(events, events.actions.read)
    const fast = requestsOf(events, events.actions.read)
    const lists = requestsOf(guests, guests.actions.list)
    slow.send(5)
    const end = performance.now() + DEADLINE_MS / 4
    while (performance.now() < end) {
      fast.send(1)
      await new Promise((resolve) => setTimeout(resolve, 2))
      fast.answer()
      lists.send(20)
      lists.answer()
    }
    expect(lists.refused).toBe(0)
  })

  test.each<[string, Resource, Action]>([
    ['scans', events, events.actions.read],
    ['single requests', guests, { route: 'GET x', scope: 'read' }],
    ['pages', partnerPages, partnerPages.actions.handle],
  ])('up to 256 %s wait, however late answers are', async (_what, resource, action) => {
    const requests = requestsOf(resource, action)
    const lists = requestsOf(guests, guests.actions.list)
    requests.send(ALWAYS - 1)
    // Lists show that delays are being looked at, and others of the kind that these are grave.
    await expect
      .poll(() => {
        lists.send(10)
        return lists.refused
      })
      .toBeGreaterThan(100)
    const others = requestsOf(resource, action)
    await expect
      .poll(() => {
        others.send(10)
        return others.refused
      })
      .toBeGreaterThan(0)
    expect(requests.refused).toBe(0)
    others.answer()
    requests.answer()
    requests.send(ALWAYS)
    expect(requests.refused).toBe(0)
  })

  test('the door too is refused when it would be answered too late, and let in again afterwards', async () => {
    const door = requestsOf(events, events.actions.read)
    await expect
      .poll(() => {
        door.send(20)
        return door.refused
      })
      .toBeGreaterThan(0)
    expect([...door.retryAfter]).toEqual([1])
    door.answer()
    await expect
      .poll(() => {
        const before = door.refused
        door.send(100)
        door.answer()
        return door.refused - before
      })
      .toBe(0)
  })
})
