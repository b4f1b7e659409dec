import { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'

/** Uploads of an account that a process has in hand at once, and of all accounts: each takes some ten times its size. */
const [PER_ACCOUNT, IN_HAND] = [2, 32]
/** Uploads that are parsed at once; an account has one of these places. */
const PARSED = 4
const MAX_WAIT_MS = 15_000

/** Whose upload it is. */
interface Uploader {
  account_id: string
  partner_campaign_id: string
}

/**
 * The places for uploads in a process. What one account does takes its own places, so that others find theirs free; of a campaign one upload is in
 * hand at a time. Each method rejects with `unavailable` (503), without doing the work, if there is no place in time.
 */
export class UploadLimits {
  readonly #ofCampaigns = new Semaphore(Number.POSITIVE_INFINITY, 1)
  readonly #inHand = new Semaphore(IN_HAND, PER_ACCOUNT)
  readonly #parsing = new Semaphore(PARSED, 1)

  /** Does what needs the rows of an upload. */
  hold<T>({ account_id, partner_campaign_id }: Uploader, work: () => Promise<T>): Promise<T> {
    const until = performance.now() + MAX_WAIT_MS
    return this.#ofCampaigns.run(partner_campaign_id, 1, MAX_WAIT_MS, () =>
      this.#inHand.run(account_id, 1, until - performance.now(), work),
    )
  }

  /** Parses an upload of an account. */
  parse<T>(account_id: string, work: () => Promise<T>): Promise<T> {
    return this.#parsing.run(account_id, 1, MAX_WAIT_MS, work)
  }
}

/** The limits of this process. */
export const uploadLimits = new UploadLimits()
