// @module-tag slow
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import type { Part } from '@gatehouse/proto/declaring/resource.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EVENT, StubbedGateway, TOKEN } from '../testing/stubbed-gateway.ts'

/** More than sockets and streams hold. */
const PART = Buffer.alloc(4 * 1024 * 1024, 'x')
const PARTS = 12
/** What is under way, and two parts ahead: one is made, one waits. */
const AHEAD = 5 * PART.length

describe('a file in parts', () => {
  let gateway: StubbedGateway
  let asked: Part[]
  /** How many times the next part is refused. */
  let failures = 0

  beforeAll(async () => {
    gateway = await StubbedGateway.start({})
    gateway.services.serve('badges.badges.print', 'test', async ({ part = { file: '' } }) => {
      if (failures > 0 && part.after !== undefined) {
        failures--
        throw unavailable()
      }
      asked.push(part)
      const number = Number(part.after ?? 0) + 1
      const next = number < PARTS && { next: { after: String(number), pause_ms: 0 } }
      return { body: part.is_given_up ? new Uint8Array() : PART, file: { ...next } }
    })
    await gateway.services.flush()
  })
  beforeEach(() => {
    asked = []
    failures = 0
  })
  afterAll(() => gateway?.stop())

  async function open(): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const asking = get(`${gateway.base}/api/v1/events/${EVENT}/badges.pdf`, { headers, agent: false })
    const [answer] = await once(asking, 'response')
    return answer
  }

  async function read(answer: IncomingMessage): Promise<number> {
    let bytes = 0
    for await (const chunk of answer) bytes += chunk.length
    return bytes
  }

  test('is sent whole, each part asked for once and in order', async () => {
    expect(await read(await open())).toBe(PARTS * PART.length)
    expect(asked.map(({ after }) => after)).toEqual([
      undefined,
      ...Array.from({ length: PARTS - 1 }, (_, n) => `${n + 1}`),
    ])
    expect(new Set(asked.map(({ file }) => file)).size).toBe(1)
  })

  test('is asked for no faster than its client takes it', async () => {
    let taken = 0
    for await (const chunk of await open()) {
      taken += chunk.length
      expect(asked.length * PART.length - taken).toBeLessThanOrEqual(AHEAD)
    }
    expect(taken).toBe(PARTS * PART.length)
  })

  test('is given up when its client goes away', async () => {
    const answer = await open()
    answer.destroy()
    await expect.poll(() => asked.at(-1)).toMatchObject({ file: asked[0]?.file, is_given_up: true })
    expect(asked.length).toBeLessThan(PARTS)
  })

  test('goes on after its service was away', async () => {
    failures = 2
    expect(await read(await open())).toBe(PARTS * PART.length)
    expect(asked).toHaveLength(PARTS)
  })
})
