import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Body } from '@gatehouse/proto/declaring/resource.ts'
import { sendJobs } from '../resources.ts'
import type { TestCampaign } from './test-campaign.ts'

type Progress = Body<(typeof sendJobs)['actions']['progress']>

/** A batch that a test has leased, which is the mail service. */
export type TestBatch = Awaited<ReturnType<typeof leaseBatch>>

/** The result of an e-mail that the mail server took. */
export const sentOf = (_id: string): Progress['outcomes'][number] => ({ _id, outcome: 'sent', reason: null })

/** The send job of a campaign's partner. */
export const jobOf = ({ testEvent, partner }: TestCampaign) => ({ event_id: testEvent.id, partner_id: partner })

/** Leases the next batch of a campaign's partner. */
export async function leaseBatch(campaign: TestCampaign) {
  const client = clientOf(campaign.system.bus, sendJobs)
  const job = jobOf(campaign)
  const { claim, mails } = await client.claim({ body: job })
  /** Reports outcomes, and that others begin; with none to begin the lease ends. Returns those that may be sent. */
  const progress = async (fields: Partial<Progress>): Promise<string[]> => {
    if (claim === undefined) return []
    return (await client.progress({ body: { ...job, claim, outcomes: [], begin: [], ...fields } })).ids
  }
  const sent = (ids: string[], begin: string[] = []) => progress({ outcomes: ids.map(sentOf), begin })
  return { claim, mails, leased: mails.map(({ _id }) => _id), progress, sent }
}

/** Leases the next batch of a campaign's partner, and begins to send it; `ids` are those that may be sent. */
export async function beginBatch(campaign: TestCampaign) {
  const batch = await leaseBatch(campaign)
  return { ...batch, ids: await batch.progress({ begin: batch.leased }) }
}

/** Batches without e-mails after which no more is due: those of a batch may all have to wait, and others be due behind them. */
const EMPTY_BATCHES = 4

/** Sends all e-mails of a campaign's partner that may be. Returns their invitations. */
export async function sendAll(campaign: TestCampaign): Promise<string[]> {
  const sent: string[] = []
  for (let empty = 0; empty < EMPTY_BATCHES; ) {
    const batch = await beginBatch(campaign)
    empty = batch.leased.length === 0 ? empty + 1 : 0
    await batch.sent(batch.ids)
    sent.push(...batch.ids)
  }
  return sent
}
