import { files } from '@gatehouse/badges/resources'
import { subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import type { WebRequest } from '@gatehouse/proto/pages/exchange.ts'
import { oidc } from '@gatehouse/sso/resources'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { EVENT, StubbedGateway, TOKEN } from '../testing/stubbed-gateway.ts'
import { API_BODIES, BodyBudget, type BodySender, PAGE_BODIES } from './body-budget.ts'

const limits = { total: 10, perAddress: 8, perAccount: 6, perHolder: 4 }
const perMinute = { perHolder: 4, perAccount: 10 }

/** A sender with these properties, which shares no others with another sender. */
const sender = (known: Partial<BodySender>): BodySender => ({
  address: crypto.randomUUID(),
  account: crypto.randomUUID(),
  holder: crypto.randomUUID(),
  ...known,
})

const full = expect.objectContaining({
  code: 'unavailable',
  message: expect.stringContaining('Too many large requests'),
})

describe('bytes held at once are limited', () => {
  test.each<[string, Partial<BodySender>, number[]]>([
    ['by holder', { holder: 'ada' }, [4]],
    ['by account', { account: 'acme' }, [4, 2]],
    ['by address', { address: '192.0.2.1' }, [4, 4]],
    ['in total', {}, [4, 4, 2]],
    ['by address without an account', { address: '192.0.2.1', account: undefined }, [4, 4]],
  ])('%s', (_what, known, sizes) => {
    const budget = new BodyBudget(limits)
    const shares = sizes.map((size) => {
      const share = budget.share(sender(known))
      share.take(size)
      return share
    })
    const beyond = budget.share(sender(known))
    expect(() => beyond.take(1)).toThrow(full)
    // Refused bytes are not counted, and released bytes can be taken again.
    beyond.release()
    expect(() => beyond.take(1)).toThrow(full)
    shares[0]?.release()
    beyond.take(4)
    expect(() => budget.share(sender(known)).take(1)).toThrow(full)
    for (const share of [...shares, beyond]) share.release()
    budget.share(sender(known)).take(4)
  })
})

describe('bytes parsed in a minute are limited', () => {
  const tooMany = (limit: number) =>
    expect.objectContaining({
      code: 'too_many',
      standing: expect.objectContaining({ policy: expect.objectContaining({ max: limit }) }),
    })

  test('by holder: others of the account go on', () => {
    const budget = new BodyBudget(limits, perMinute)
    budget.share(sender({ holder: 'ada', account: 'acme' })).parse(4)
    expect(() => budget.share(sender({ holder: 'ada', account: 'acme' })).parse(1)).toThrow(tooMany(4))
    budget.share(sender({ account: 'acme' })).parse(4)
  })

  test('by account, over all its tokens: other accounts go on', () => {
    const budget = new BodyBudget(limits, perMinute)
    for (const size of [4, 4, 2]) budget.share(sender({ account: 'acme' })).parse(size)
    expect(() => budget.share(sender({ account: 'acme' })).parse(1)).toThrow(tooMany(10))
    budget.share(sender({})).parse(1)
    // Secrets in a path have no account, and each its own limit.
    for (let n = 0; n < 4; n++) budget.share(sender({ account: undefined })).parse(4)
  })

  test('for a minute, and refused bytes do not count', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const budget = new BodyBudget(limits, perMinute)
    const share = budget.share(sender({ holder: 'ada', account: 'acme' }))
    share.parse(4)
    vi.advanceTimersByTime(45_000)
    for (let n = 0; n < 9; n++) expect(() => share.parse(4)).toThrow(expect.objectContaining({ retryAfter: 15 }))
    // The account has six left.
    for (const size of [4, 2]) budget.share(sender({ account: 'acme' })).parse(size)
    vi.advanceTimersByTime(15_000)
    share.parse(4)
  })

  test('and not at all without a limit', () => {
    const share = new BodyBudget(limits).share(sender({}))
    for (let n = 0; n < 3; n++) share.parse(1e9)
  })
})

describe('a gateway counts bodies until their service has answered', () => {
  const FORM = 65_536
  const { maxBytes: FILE } = files.actions.upload.upload
  const OTHER = 'gh_other'
  let gateway: StubbedGateway
  let arrived = 0
  let answerAll: () => void

  beforeAll(async () => {
    // Clients are trusted as proxies, so that a test can choose its address. Nothing is cut off or refused because the machine is slow.
    const given = { trust_proxy: 'true', rate_limits: 'off', overload_refusals: 'off', request_timeout_ms: 600_000 }
    gateway = await StubbedGateway.start(given, { deadlineMs: 300_000 })
    gateway.admit(OTHER, 'admin')
    let released = Promise.resolve()
    const hold = (): void => {
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      answerAll = () => {
        resolve()
        hold()
      }
    }
    hold()
    const answering = async (isHeld: boolean): Promise<void> => {
      if (!isHeld) return
      arrived++
      await released
    }
    await gateway.answer(subjectOf(oidc, 'handle'), async ({ body }: WebRequest) => {
      await answering(body?.length === FORM)
      return { status: 200, headers: [], body: 'answered' }
    })
    gateway.services.serve(subjectOf(files, 'upload'), 'test', async (_meta, file) => {
      await answering(file.length === FILE)
      return { body: Buffer.from('{}') }
    })
    await gateway.services.flush()
  })
  afterAll(async () => {
    answerAll?.()
    await gateway?.stop()
  })

  /** Sends a request; resolves with 'refused' if its body is one too many, otherwise with 'passed' when the service has answered. */
  async function send(path: string, method: string, type: string, size: number, address = '192.0.2.1') {
    const headers = { 'content-type': type, 'x-forwarded-for': address }
    const answer = await fetch(gateway.base + path, { method, headers, body: 'x'.repeat(size) })
    const text = await answer.text()
    if (answer.status === 200) return 'passed'
    expect(answer.status).toBe(503)
    expect(JSON.parse(text)).toEqual({ error: 'Too many large requests in progress; try again later' })
    expect(answer.headers.get('retry-after')).toBe('1')
    return 'refused'
  }
  const signIn = (address: string, size = 5_000) =>
    send('/oauth/token', 'POST', 'application/x-www-form-urlencoded', size, address)
  const upload = (token: string, size = FILE - 1) =>
    send(`/api/v1/events/${EVENT}/guests/${EVENT}/files/photo.json?auth_token=${token}`, 'PUT', 'image/png', size)

  /** Waits until this many more bodies have arrived at the service, which holds them. */
  const held = async (requests: Promise<unknown>[]): Promise<Promise<unknown>[]> => {
    const before = arrived
    await expect.poll(() => arrived).toBe(before + requests.length)
    return requests
  }

  test('strangers who sign in: by address and in total, and small ones pass', slow, async () => {
    const [ofAddress, addresses] = [PAGE_BODIES.perAddress / FORM, PAGE_BODIES.total / PAGE_BODIES.perAddress]
    const all: Promise<unknown>[] = []
    for (let n = 1; n <= addresses; n++) {
      const address = `192.0.2.${n}`
      expect(await signIn(address)).toBe('passed')
      all.push(...(await held(Array.from({ length: ofAddress }, () => signIn(address, FORM)))))
      expect(await signIn(address)).toBe('refused')
      expect(await signIn(address, 1_000)).toBe('passed')
    }
    expect(await signIn('192.0.2.9')).toBe('refused')
    // The API has a budget of its own.
    expect(await upload(TOKEN)).toBe('passed')
    answerAll()
    expect(new Set(await Promise.all(all))).toEqual(new Set(['passed']))
    expect(await signIn('192.0.2.9')).toBe('passed')
    expect(await signIn('192.0.2.1')).toBe('passed')
  })

  test('one token: small ones and those of other tokens pass', slow, async () => {
    const all = await held(Array.from({ length: API_BODIES.perHolder / FILE }, () => upload(TOKEN, FILE)))
    expect(await upload(TOKEN)).toBe('refused')
    expect(await upload(TOKEN, 1_000)).toBe('passed')
    expect(await upload(OTHER)).toBe('passed')
    answerAll()
    expect(new Set(await Promise.all(all))).toEqual(new Set(['passed']))
    expect(await upload(TOKEN)).toBe('passed')
  })
})
