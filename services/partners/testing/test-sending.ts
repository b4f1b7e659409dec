import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sendJobs } from '../resources.ts'
import type { TestCampaign } from './test-campaign.ts'

/** A claim of a campaign's partner, by a test that is the mail service. */
export interface TestBatch {
  /** The invitations whose hand-over has begun, out of how many. */
  ids: string[]
  claimed: number
  /** Reports that the mail server took an e-mail, and ends the claim unless more is to come. */
  sent(ids: string[], begin?: string[]): Promise<string[]>
}

/** Claims the next invitations of a campaign's partner, and begins to hand them over. */
export async function beginBatch(campaign: TestCampaign): Promise<TestBatch> {
  const client = clientOf(campaign.system.bus, sendJobs)
  const job = { event_id: campaign.testEvent.id, partner_id: campaign.partner }
  const { claim = '', mails } = await client.claim({ body: job })
  const begin = mails.map(({ _id }) => _id)
  if (begin.length === 0) return { ids: [], claimed: 0, sent: async () => [] }
  const { ids } = await client.progress({ body: { ...job, claim, outcomes: [], begin } })
  return {
    ids,
    claimed: begin.length,
    sent: async (sent, further = []) => {
      const outcomes = sent.map((_id) => ({ _id, outcome: 'sent' as const, reason: null }))
      return (await client.progress({ body: { ...job, claim, outcomes, begin: further } })).ids
    },
  }
}

/** Turns without e-mails after which no more is due: those of a job may all have to wait, and others be due behind them. */
const EMPTY_TURNS = 4

/** Hands over all e-mails of a campaign's partner that may be. Returns their invitations. */
export async function sendAll(campaign: TestCampaign): Promise<string[]> {
  const sent: string[] = []
  for (let empty = 0; empty < EMPTY_TURNS; ) {
    const claim = await beginBatch(campaign)
    if (claim.claimed === 0) empty++
    else empty = 0
    await claim.sent(claim.ids)
    sent.push(...claim.ids)
  }
  return sent
}
