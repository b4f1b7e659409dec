import { randomInt } from 'node:crypto'
import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { WHILE_AWAITED } from '@gatehouse/proto/storage/mongo.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import type { Collection, IndexDescription } from 'mongodb'
import type { PromoUse, StoredGuest } from './stored-guest.ts'

/** A discount code that a new guest is to use. */
export interface UsableCode {
  _id: string
  text: string
  /** -1 for any number. */
  max_usage: number
}

/**
 * Keeps two guests from holding the same use, also guests of different events: those of a partner campaign use a code of the platform event.
 * Guests without a code are not in it.
 */
export const promoUseIndex = {
  key: { promo_code_id: 1, promo_use: 1 },
  unique: true,
  partialFilterExpression: { promo_use: { $exists: true } },
} as const satisfies IndexDescription
/** Its name. */
export const BY_PROMO_USE = 'promo_code_id_1_promo_use_1'

/** Tells the planner that the partial index has all wanted guests. */
const IS_USED = { promo_use: { $gte: 1 } }

/** The largest limit that a code can have. */
const LARGEST_LIMIT = 2 ** 31 - 1

/** The number of a free use; or that all are reserved now, or used. */
type Free = number | 'wait' | 'used up'

/**
 * The uses of discount codes: numbered places, each taken by the guest who holds it, in the guest's own document. So a use is stored, and
 * given back, with the guest in one step, and a crash leaves nothing to settle.
 *
 * The rule: a request that sees n uses takes one of the `max_usage` - n lowest free numbers. It never admits more than `max_usage`, however
 * many requests run at once and however old their view is. For a number k let room(k) be k plus the uses with a higher number; it never
 * decreases with k. The rule admits up to a k with room(k) ≤ `max_usage`. Once this holds for k, it always will: a guest who goes decreases
 * room(k), one who takes a number up to k leaves it as it is, and one who takes a higher number does so under a higher k for which it holds
 * too. And all uses together are at most room(k). Unless a limit was lowered, no guest has a number above it, and the rule is just "any free
 * number up to the limit".
 */
export class PromoUses {
  readonly #guests: Collection<StoredGuest>
  readonly #free: (wanted: UsableCode) => Promise<Free>

  constructor(guests: Collection<StoredGuest>) {
    this.#guests = guests
    this.#free = coalesced((wanted) => this.#freeOfEach(wanted))
  }

  /**
   * A use that was free a moment ago; a caller that finds it taken asks again. Calls at the same time get different uses. If there are
   * fewer free uses than calls, the other calls have to wait until the uses are stored or given up.
   */
  async free(code: UsableCode): Promise<Free> {
    if (code.max_usage < 0) return randomInt(LARGEST_LIMIT + 1, 2 ** 47)
    const free = await this.#free({ ...code })
    if (free === 'used up') instruments.quotaRefusals.add(1, { quota: 'promo_codes' })
    return free
  }

  /** How many guests hold each of these codes; codes that no guest holds are missing. */
  async count(promo_code_ids: string[]): Promise<Map<string, number>> {
    const groups = await this.#guests
      .aggregate<{ _id: string; count: number }>(
        [
          { $match: { promo_code_id: { $in: promo_code_ids }, ...IS_USED } },
          { $group: { _id: '$promo_code_id', count: { $sum: 1 } } },
        ],
        { hint: BY_PROMO_USE, ...WHILE_AWAITED },
      )
      .toArray()
    return new Map(groups.map(({ _id, count }) => [_id, count]))
  }

  /** One lookup of each code for all requests that want it. */
  async #freeOfEach(wanted: UsableCode[]): Promise<Free[]> {
    const found = new Map<UsableCode, Free>()
    const groups = Map.groupBy(wanted, ({ _id, max_usage }) => `${_id} ${max_usage}`)
    await Promise.all(
      groups.values().map(async (group) => {
        const numbers = await this.#lowestFree(group[0] as UsableCode, group.length)
        const otherwise = numbers.length > 0 ? 'wait' : 'used up'
        for (const [index, each] of group.entries()) found.set(each, numbers[index] ?? otherwise)
      }),
    )
    return wanted.map((each) => found.get(each) as Free)
  }

  /** Up to `most` numbers that the rule admits; none if the code is used up. */
  async #lowestFree({ _id, max_usage }: UsableCode, most: number): Promise<number[]> {
    const uses = this.#guests
      .find({ promo_code_id: _id, ...IS_USED }, { hint: BY_PROMO_USE, batchSize: 10_000 })
      .project<Pick<PromoUse, 'promo_use'>>({ _id: 0, promo_use: 1 })
    const [highest] = await uses.clone().sort({ promo_use: -1 }).limit(1).toArray()
    const top = highest?.promo_use ?? 0
    // Gaps need not be searched while there are numbers above all taken ones.
    if (top < max_usage) return Array.from({ length: Math.min(most, max_usage - top) }, (_, index) => top + 1 + index)
    // Usually the code is used up then, and counting is faster than reading.
    if (((await this.count([_id])).get(_id) ?? 0) >= max_usage) return []
    const taken = new Set((await uses.toArray()).map(({ promo_use }) => promo_use))
    const free: number[] = []
    for (let number = 1; free.length < Math.min(most, max_usage - taken.size); number++) {
      if (!taken.has(number)) free.push(number)
    }
    return free
  }
}
