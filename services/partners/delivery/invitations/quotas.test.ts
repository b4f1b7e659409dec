import type { Running } from '@gatehouse/proto/serving/run.ts'
import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { retried } from '@gatehouse/test/harness/retried.ts'
import { type Answer, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, isDeep, killPoints, rounds } from '@gatehouse/test/rounds.ts'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'

// Takes half a minute: each request to a killed process takes until its deadline, and what it has left is seen to after eight seconds, so that a
// slow one is not taken for dead.

const BATCHES = rounds(50, 100)
/** Recipients of a batch, where all batches together have a thousand. */
const SIZE = 1_000 / BATCHES

interface Item {
  _id?: string
  errors?: object
}

const isIn = ({ errors }: Item): boolean => !errors

describe('quotas are exact', () => {
  const mongo = new MongoClient(inject('mongodbUrl'))
  let system: System

  beforeAll(async () => {
    system = await startSystem({ gateways: 2, with: ['promo'], ...(isDeep && { gateway: { deadline_ms: 2_500 } }) })
  })
  afterAll(async () => {
    await system?.stop()
    await mongo.close()
  })

  const stored = (campaign: TestCampaign, state: object = {}): Promise<number> =>
    invitations().countDocuments({ partner_campaign_id: campaign.id, ...state })
  const invitations = () => mongo.db(`${system.namespace}_partners`).collection<Document>('invitations')
  const partnerOf = ({ partner }: TestCampaign): Promise<Document | null> =>
    mongo
      .db(`${system.namespace}_partners`)
      .collection<Document & { _id: string }>('partners')
      .findOne({ _id: partner })
  /** What is neither accepted nor refused yet. */
  const open = async (campaign: TestCampaign): Promise<number> =>
    (await stored(campaign, { state: 'pending' })) + ((await partnerOf(campaign))?.notes ?? []).length

  describe('with two processes', () => {
    let processes: Running[] = []
    beforeAll(async () => {
      processes = await Promise.all([startReplica('partners', system), startReplica('partners', system)])
    })
    afterAll(() => Promise.all(processes.map((each) => each.stop())))

    const race = (campaigns: TestCampaign[], emails: (batch: number) => string[]): Promise<Answer[]> =>
      Promise.all(
        Array.from({ length: BATCHES }, async (_, batch) => {
          const campaign = campaigns[batch % campaigns.length] as TestCampaign
          // On a busy machine a batch may take longer than the deadline; sent again, it gives what was accepted the first time.
          const answer = await retried(() => campaign.invite(emails(batch), { base: system.urls[batch % 2] as string }))
          expect([201, 422], answer.text).toContain(answer.status)
          return answer
        }),
      )

    test(`${BATCHES} batches at once of different recipients: exactly the campaign’s quota gets in`, async () => {
      const campaign = await TestCampaign.open(system, { quota: 333 })
      const answers = await race([campaign], (batch) => addresses(SIZE, `batch-${batch}`))
      const accepted = answers.flatMap(({ body }) => body.filter(isIn))
      expect(accepted).toHaveLength(333)
      expect(await stored(campaign)).toBe(333)
      expect(await campaign.counters()).toMatchObject({ used: 333, left: 0, nb_recipients: 333 })
      expect(await open(campaign)).toBe(0)
    })

    test(`${BATCHES} batches at once into two campaigns: exactly the partner’s quota gets in`, async () => {
      const one = await TestCampaign.open(system, { quota: 400, partner: { recipients_quota: 555 } })
      const two = await TestCampaign.attach(one.testEvent, one.partner, { quota: 400 })
      const answers = await race([one, two], (batch) => addresses(SIZE, `batch-${batch}`))
      expect(answers.flatMap(({ body }) => body.filter(isIn))).toHaveLength(555)
      expect((await stored(one)) + (await stored(two))).toBe(555)
      const [first, second] = [await one.counters(), await two.counters()]
      expect([first.used + second.used, first.left, second.left]).toEqual([555, 0, 0])
      expect(await one.organizersView()).toMatchObject({ nb_recipients: 555 })
      expect(await open(one)).toBe(0)
    })

    test(`${BATCHES} batches at once of the same recipients, shuffled: each gets in once, and all answers name the same invitations`, async () => {
      const campaign = await TestCampaign.open(system, { quota: 30 })
      const all = addresses(30)
      const answers = await race([campaign], (batch) => [...all.slice(batch % 30), ...all.slice(0, batch % 30)])
      const ids = new Set(answers.flatMap(({ body }) => body.filter(isIn).map(({ _id }: Item) => _id)))
      expect(ids.size).toBe(30)
      expect(answers.flatMap(({ body }) => body.filter(isIn))).toHaveLength(30 * BATCHES)
      expect(await campaign.counters()).toMatchObject({ used: 30, left: 0, nb_recipients: 30 })
    })

    test('quotas hold while the organizer changes the partner’s', async () => {
      const campaign = await TestCampaign.open(system, { quota: 1_000, partner: { recipients_quota: 100 } })
      const path = `partners/${campaign.partner}.json`
      const changing = (async () => {
        for (const recipients_quota of [150, 50, 200]) await campaign.testEvent.change(path, { recipients_quota })
      })()
      const answers = await race([campaign], (batch) => addresses(SIZE / 2, `batch-${batch}`))
      await changing
      const first = answers.flatMap(({ body }) => body.filter(isIn)).length
      expect(first).toBeLessThanOrEqual(200)
      const rest = await campaign.invite(addresses(500, 'rest'))
      expect(first + rest.body.filter(isIn).length).toBe(200)
      expect(await stored(campaign)).toBe(200)
    })
  })

  test('a process killed at any answer of its store neither exceeds a quota nor uses it up', deep, async () => {
    const killable = await startKillable('partners', system)
    onTestFinished(() => killable.stop())
    const campaigns: TestCampaign[] = []
    let survived = 0
    for (const nth of killPoints()) {
      const campaign = await TestCampaign.open(system, { quota: 7, partner: { recipients_quota: 5 } })
      campaigns.push(campaign)
      const cancel = await killable.killAtAnswer(nth)
      const answer = await campaign.invite(addresses(8))
      expect([201, 422, 503]).toContain(answer.status)
      if (!cancel()) survived++
      await killable.serving()
      expect(await stored(campaign, { state: 'queued' })).toBeLessThanOrEqual(5)
      if (survived === 3) break
    }
    // One at least was killed, and the last one was not.
    expect(campaigns.length).toBeGreaterThan(8)
    for (const campaign of campaigns) await expect.poll(() => open(campaign)).toBe(0)
    for (const campaign of campaigns) {
      const { body } = await campaign.invite(addresses(8))
      expect(body.map(isIn)).toEqual([true, true, true, true, true, false, false, false])
      expect(await campaign.counters()).toMatchObject({ used: 5, left: 0, nb_recipients: 5 })
      expect(await stored(campaign)).toBe(5)
      expect(await open(campaign)).toBe(0)
    }
  })
})
