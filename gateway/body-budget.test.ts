import { describe, expect, test, vi } from 'vitest'
import { BodyBudget, type BodySender } from './body-budget.ts'

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
    try {
      const budget = new BodyBudget(limits, perMinute)
      const share = budget.share(sender({ holder: 'ada', account: 'acme' }))
      share.parse(4)
      vi.advanceTimersByTime(45_000)
      for (let n = 0; n < 9; n++) expect(() => share.parse(4)).toThrow(expect.objectContaining({ retryAfter: 15 }))
      // The account has six left.
      for (const size of [4, 2]) budget.share(sender({ account: 'acme' })).parse(size)
      vi.advanceTimersByTime(15_000)
      share.parse(4)
    } finally {
      vi.useRealTimers()
    }
  })

  test('and not at all without a limit', () => {
    const share = new BodyBudget(limits).share(sender({}))
    for (let n = 0; n < 3; n++) share.parse(1e9)
  })
})
