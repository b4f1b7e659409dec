// @module-tag slow
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rounds, seed } from '@gatehouse/test/rounds.ts'
import { useWorld, world } from '@gatehouse/test/tables/table.ts'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { BusClient } from './bus-client.ts'
import type { Case, HttpCase } from './case.ts'
import { checkInProblem, queueProblems } from './closing.ts'
import { type AttackedSystem, attempt, caseOf, type FuzzResult, fuzz, shrunk } from './fuzzing.ts'
import { Ids } from './ids.ts'
import { targets } from './targets.ts'

// `npm test` sends the same case to each target in each run.
const CASES = rounds(targets.length, 20_000)

describe('a system with all services', () => {
  useWorld()
  let attacked: AttackedSystem

  beforeAll(async () => {
    attacked = {
      url: world.system.url,
      bus: await BusClient.connect(inject('natsUrl'), world.system.bus.namespace),
      ids: await Ids.ofNewAccount(world, 'fuzz'),
    }
  })
  afterAll(async () => {
    await attacked?.bus.close()
  })

  test(`answers each of ${CASES} odd requests and messages, and does its work afterwards`, async () => {
    const outcome: FuzzResult = { answers: new Map(), limited: 0, failures: [], done: 0 }
    await fuzz(attacked, outcome, { seed, from: 0, to: CASES })
    const failed = outcome.failures.map(
      ({ number, target, problem }) => `${target}: ${problem} (npm run fuzz -- --seed ${seed} --only ${number})`,
    )
    expect(failed).toEqual([])
    expect(outcome.done).toBe(CASES)
    expect(outcome.limited).toBeLessThan(CASES / 100)
    const { system } = world
    expect(await queueProblems(inject('natsUrl'), system.bus.namespace)).toEqual([])
    expect(await checkInProblem(system.api, system.account_id)).toBeUndefined()
  })
})

describe('cases', () => {
  test('are the same for a seed, and others for another', () => {
    const numbers = Array.from({ length: targets.length }, (_, number) => number)
    const casesOf = (each: number): Case[] => numbers.map((number) => caseOf(each, number).sent)
    expect(casesOf(seed)).toEqual(casesOf(seed))
    expect(casesOf(seed)).not.toEqual(casesOf(seed + 1))
  })
})

describe('a failure is found', () => {
  /** Attacks a server of HTTP that answers as `answer` says. */
  async function attackedServer(answer: (path: string) => { status: number; body: string } | undefined) {
    // Node itself would refuse the largest headers of the cases, by 431.
    const server: Server = createServer({ maxHeaderSize: 1 << 20 }, (request, reply) => {
      const given = answer(request.url ?? '')
      if (given) reply.writeHead(given.status, { 'content-type': 'application/json' }).end(given.body)
      else reply.destroy()
    })
    // As the gateway does: Node itself would refuse other expectations than "100-continue".
    server.on('checkExpectation', (request, reply) => server.emit('request', request, reply))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { url, ids: { for: async () => new Map(), noteGrant: () => {} } } as object as AttackedSystem
  }

  const get = (path: string): HttpCase => ({ kind: 'http', method: 'GET', path, headers: [], body: '' })
  const head = (path: string): HttpCase => ({ ...get(path), method: 'HEAD' })

  test.each([
    ['500', { status: 500, body: '{}' }, /^500 /],
    ['503 without a limit', { status: 503, body: '{"error":"try again"}' }, /^503 /],
    ['what is no JSON', { status: 200, body: '{' }, /^no JSON/],
    ['nothing', undefined, /^no answer/],
  ])('if the answer is %s', async (_what, answer, problem) => {
    const attacked = await attackedServer(() => answer)
    const verdict = await attempt(attacked, get('/'), undefined)
    expect(verdict.problem).toMatch(problem)
  })

  test.each([
    ['404', { status: 404, body: '{"error":"x"}' }],
    ['503 of a service that is late', { status: 503, body: '{"status":"unavailable","services":{"sso":false}}' }],
    ['503 of a limit', { status: 503, body: '{"error":"Too many requests in progress; try again later"}' }],
  ])('and not if it is %s', async (_what, answer) => {
    const attacked = await attackedServer(() => answer)
    const verdict = await attempt(attacked, get('/'), undefined)
    expect(verdict.problem).toBeUndefined()
  })

  test('and a 503 without text only if it was asked by HEAD whether the system is ready', async () => {
    const attacked = await attackedServer(() => ({ status: 503, body: '' }))
    const sent = [head('/readyz?x'), get('/readyz'), head('/api/v1/events.json')]
    const verdicts = await Promise.all(sent.map((each) => attempt(attacked, each, undefined)))
    expect(verdicts.map(({ problem }) => problem?.slice(0, 3))).toEqual([undefined, '503', '503'])
  })

  test('and what is shown of it fails too, and is smaller: of ten cases together less than half', async () => {
    const attacked = await attackedServer(() => ({ status: 500, body: '{}' }))
    const first = targets.findIndex(({ name }) => name.startsWith('guests.create '))
    let [before, after] = [0, 0]
    for (let number = first; number < 10 * targets.length; number += targets.length) {
      const { target, sent } = caseOf(seed, number)
      const smallest = await shrunk(attacked, seed, { number, target: target.name, problem: '500', sent })
      expect(smallest).toMatchObject({ kind: 'http', headers: expect.any(Array) })
      expect((await attempt(attacked, smallest, undefined)).problem).toMatch(/^500/)
      before += JSON.stringify(sent).length
      after += JSON.stringify(smallest).length
    }
    expect(after).toBeLessThan(before / 2)
  })
})
