import { subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import { type KillableProcess, startKillable } from '@gatehouse/test/harness/killable.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { addresses, TestCampaign } from '../../testing/test-campaign.ts'
import en from './languages/en.json' with { type: 'json' }
import { COOKIE, partnerPages } from './resource.ts'
import { numbersOf, TestPartner } from './test-partner.ts'

/** How long a request to a killed process is waited for. */
const BUDGET_MS = 1_500

let system: System
let killable: KillableProcess
const mongo = new MongoClient(inject('mongodbUrl'))

beforeAll(async () => {
  system = await startSystem({ with: ['promo'], checkins: 0 })
  killable = await startKillable('partners', system)
})
afterAll(async () => {
  await mongo.close()
  await killable?.stop()
  await system?.stop()
})

// Takes half a minute: each kill starts a new process, and what a killed one has left is seen to after eight seconds.
test(
  'a process killed at any answer of its store while it sends leaves a list that is sent whole by the next try',
  deep,
  async () => {
    const stored = (name: string) => mongo.db(`${system.namespace}_partners`).collection(name)
    const tried: { campaign: TestCampaign; partner: TestPartner; url: string }[] = []
    let isDone = false
    for (let nth = 1; !isDone; nth++) {
      const campaign = await TestCampaign.open(system, { quota: 10 })
      const partner = await TestPartner.enter(campaign)
      const csrf = await partner.csrf()
      const { url } = await partner.give(addresses(4).join('\n'), { csrf })
      const cancel = await killable.killAtAnswer(nth)
      const request = {
        method: 'POST',
        url: new URL(url).pathname,
        headers: [{ name: 'cookie', value: `${COOKIE}=${campaign.token}` }],
        body: new URLSearchParams({ csrf }).toString(),
        address: '127.0.0.1',
      }
      const sending = system.bus.call(
        subjectOf(partnerPages, 'handle'),
        { budget: BUDGET_MS },
        Buffer.from(JSON.stringify(request)),
      )
      await sending.catch(() => {})
      isDone = !cancel()
      await killable.serving()
      tried.push({ campaign, partner, url })
    }
    expect(tried.length).toBeGreaterThan(12)
    const open = async (): Promise<number> =>
      (await stored('invitations').countDocuments({ state: 'pending' })) +
      (await stored('partners').countDocuments({ 'notes.0': { $exists: true } }))
    await expect.poll(open).toBe(0)
    for (const { campaign, partner, url } of tried) {
      const page = await partner.session.open(url)
      const report = page.text.includes(en.report_title) ? page : await partner.send(page)
      expect(numbersOf(report)).toMatchObject({ [en.report_invited]: 4, [en.already]: 0, [en.beyond]: 0 })
      expect(await campaign.counters()).toMatchObject({ used: 4, left: 6, nb_recipients: 4 })
    }
  },
)
