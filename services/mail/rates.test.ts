// @module-tag slow
import type { InvitationMail } from '@gatehouse/partners/send-jobs'
import { addresses, TestCampaign } from '@gatehouse/partners/test-campaign'
import { ConfigurationError, withDefaults } from '@gatehouse/proto/process/config.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type MailServer, startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { ownRedis, redisServer } from '@gatehouse/test/harness/own-redis.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Rates, rateSettings } from './rates.ts'

// Takes ten seconds on a busy machine: windows of a second pass, some of them twice.

const log = makeLog('mail', 'silent')

/** Rates of one process, with a namespace that processes of a test may share. */
async function ratesOf(namespace: string, perPartner: number, perDomain: number, redis_url = inject('redisUrl')) {
  const config = { redis_url, mail_rate_per_partner: perPartner, mail_rate_per_domain: perDomain }
  const rates = new Rates(config, namespace, log)
  await rates.connect()
  return rates
}

const mailsTo = (domain: string, count: number): InvitationMail[] =>
  Array.from({ length: count }, (_, n) => ({ _id: `${domain}-${n}`, to: `guest-${n}@${domain}` }) as InvitationMail)

describe('rates of e-mails', () => {
  test('of two processes that ask at once, again and again, no partner gets more than its rate in any second', async () => {
    const namespace = crypto.randomUUID()
    const both = await Promise.all([ratesOf(namespace, 7, 0), ratesOf(namespace, 7, 0)])
    const granted: { from: number; to: number }[] = []
    const ask = async (rates: Rates): Promise<void> => {
      // Twice the rate and more, so that it is reached.
      while (granted.length < 15) {
        const from = performance.now()
        const { going, held } = await rates.admit('partner', mailsTo('example.org', 5))
        expect(held).toEqual([])
        granted.push(...going.map(() => ({ from, to: performance.now() })))
      }
    }
    await Promise.all([...both, ...both].map(ask))
    // Each was counted between `from` and `to`: those that certainly were within one second are at most seven.
    for (const { from: first } of granted) {
      const within = granted.filter(({ from, to }) => from >= first && to < first + 1_000)
      expect(within.length).toBeLessThanOrEqual(7)
    }
    for (const rates of both) rates.close()
  })

  test('a partner that has had its share waits, and another one does not', async () => {
    const rates = await ratesOf(crypto.randomUUID(), 7, 0)
    // A second may end in between.
    await expect.poll(async () => (await rates.admit('busy', mailsTo('example.org', 7))).pauseMs).toBeGreaterThan(0)
    expect(await rates.admit('other', mailsTo('example.org', 7))).toMatchObject({ held: [], pauseMs: 0 })
    rates.close()
  })

  test('of a domain that has had its share the others are held, one after the other; another domain goes on', async () => {
    const namespace = crypto.randomUUID()
    const [one, other] = await Promise.all([ratesOf(namespace, 0, 60), ratesOf(namespace, 0, 60)])
    const answers = await Promise.all([
      one.admit('a', mailsTo('full.example', 50)),
      other.admit('b', mailsTo('full.example', 50)),
    ])
    expect(answers.flatMap(({ going }) => going)).toHaveLength(60)
    expect(answers.map(({ pauseMs }) => pauseMs)).toEqual([0, 0])
    const waits = answers.flatMap(({ held }) => held.map(({ ms }) => ms)).sort((a, b) => a - b)
    expect(waits).toHaveLength(40)
    expect(waits[0]).toBeGreaterThan(55_000)
    // As fast as the domain takes them: one a second.
    expect((waits[39] ?? 0) - (waits[0] ?? 0)).toBeGreaterThan(38_000)
    const mixed = await one.admit('a', [...mailsTo('full.example', 1), ...mailsTo('free.example', 2)])
    expect(mixed).toMatchObject({ going: [{ _id: 'free.example-0' }, { _id: 'free.example-1' }], pauseMs: 0 })
    expect(mixed.held).toHaveLength(1)
    for (const rates of [one, other]) rates.close()
  })

  test('none is held for longer than ten minutes, since the rate may be raised', async () => {
    const rates = await ratesOf(crypto.randomUUID(), 0, 1)
    const { going, held } = await rates.admit('a', mailsTo('slow.example', 30))
    expect(going).toHaveLength(1)
    expect(Math.max(...held.map(({ ms }) => ms))).toBe(600_000)
    rates.close()
  })

  test('without a rate nothing is counted and no Redis is needed; a rate without Redis is refused by name', async () => {
    const mails = mailsTo('example.org', 3)
    expect(await new Rates(withDefaults(rateSettings, {}), 'x', log).admit('a', mails)).toEqual({
      going: mails,
      held: [],
      pauseMs: 0,
    })
    const half = withDefaults(rateSettings, { mail_rate_per_domain: 1 })
    expect(() => new Rates(half, 'x', log)).toThrow(ConfigurationError)
    expect(() => new Rates(half, 'x', log)).toThrow('need REDIS_URL')
  })

  test.runIf(redisServer)('while Redis is away e-mails wait, and go when it is back', async () => {
    const redis = await ownRedis()
    await redis.start()
    const rates = await ratesOf('x', 100, 100, redis.url)
    const mails = mailsTo('example.org', 1)
    expect((await rates.admit('a', mails)).going).toHaveLength(1)
    await redis.kill()
    expect(rates.awayMs).toBe(0)
    expect(await rates.admit('a', mails)).toEqual({ going: [], held: [], pauseMs: 1_000 })
    expect(rates.awayMs).toBeGreaterThan(0)
    await redis.start()
    await expect.poll(async () => (await rates.admit('a', mails)).going.length).toBe(1)
    rates.close()
    await redis.kill()
  })
})

describe('two mail processes with rates', deep, () => {
  let server: MailServer
  let system: System
  let workers: Running[]

  beforeAll(async () => {
    ;[server, system] = await Promise.all([startMailServer(), startSystem({ with: ['partners', 'promo'] })])
    const settings = {
      smtp_url: server.url,
      mail_from: 'a@b.example',
      mail_rate_per_partner: 10,
      mail_rate_per_domain: 15,
    }
    workers = await Promise.all([startReplica('mail', system, settings), startReplica('mail', system, settings)])
  })
  afterAll(async () => {
    await Promise.all(workers?.map((worker) => worker.stop()) ?? [])
    await system?.stop()
    await server?.stop()
  })

  const to = (prefix: string) => server.mails.filter(({ to: [address = ''] }) => address.startsWith(prefix))

  test('a partner gets its rate, another one its own at the same time, and no attempt is counted', async () => {
    const [fast, slow] = [await TestCampaign.open(system), await TestCampaign.open(system)]
    const times: number[] = []
    server.plan((address) => {
      if (address.startsWith('many')) times.push(performance.now())
      return 'take'
    })
    // Domains of their own, so that the partner's rate alone counts.
    const many = Array.from({ length: 30 }, (_, n) => `many-${n}@many-${n}.example`)
    await slow.invite(many)
    await expect.poll(() => to('many').length).toBeGreaterThan(0)
    await fast.invite(Array.from({ length: 5 }, (_, n) => `few-${n}@few-${n}.example`))
    await expect.poll(() => to('few').length).toBe(5)
    expect(to('many').length).toBeLessThan(30)
    await expect.poll(() => to('many').length).toBe(30)
    // Thirty at ten a second: two seconds lie between the first and the last, less what the way to the mail server differs.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_500)
    await expect.poll(() => slow.counters()).toMatchObject({ nb_email_sent: 30, rejected_recipients: 0 })
  })

  test('of a domain those beyond its rate wait, and do not hold up the partner’s others', async () => {
    const campaign = await TestCampaign.open(system)
    const domain = `${crypto.randomUUID()}.example`
    const full = addresses(25, 'full').map((address) => address.replace('example.org', domain))
    await campaign.invite(full)
    await campaign.invite(Array.from({ length: 5 }, (_, n) => `rest-${n}@rest-${n}.example`))
    await expect.poll(() => to('rest').length).toBe(5)
    await expect.poll(() => to('full').length).toBe(15)
    await expect.poll(async () => (await campaign.invitations('&state=queued')).length).toBe(10)
    expect(to('full')).toHaveLength(15)
  })
})
