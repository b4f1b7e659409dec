import { statusBy } from '@gatehouse/cli/demo/decision-table.ts'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { System } from '../harness/system.ts'
import { TestEvent } from '../harness/test-event.ts'
import { assertAll, record } from './random-cases.ts'

/**
 * A small model of the door's decisions. Random steps go to the model and to a real door, whose answers and stored check-ins must be those of
 * the model.
 */

const UIDS = ['ada', 'bob', 'cyd']
const POINTS = 2
const CATEGORIES = 2

/** The uid of one of the model's guests. */
export const uid = fc.constantFrom(...UIDS)
/** The number of one of its check-in points. */
export const point = fc.nat(POINTS - 1)
const category = fc.nat(CATEGORIES - 1)
const stamp = fc.option(fc.nat(2), { nil: undefined })
const privileges = fc.array(record({ point, once: fc.boolean() }), { maxLength: 2 })

/** Scans, alone and in batches. */
export const scanSteps = [
  {
    weight: 6,
    arbitrary: record({
      do: fc.constant('scan'),
      point,
      uid,
      times: fc.integer({ min: 1, max: 4 }),
      persons: fc.constantFrom(1, 1, 2, 3),
    }),
  },
  {
    weight: 4,
    arbitrary: record({
      do: fc.constant('batch'),
      items: fc.array(record({ point, uid, stamp }), { minLength: 1, maxLength: 8 }),
    }),
  },
]
/** Deletions of check-ins. After the first one at a point, the door decides from the store there, without the ledger. */
export const removalSteps = [{ weight: 4, arbitrary: record({ do: fc.constant('remove'), nth: fc.nat(1_000) }) }]
/** Changes of links, privileges, categories and guests. */
export const changeSteps = [
  {
    weight: 5,
    arbitrary: record({
      do: fc.constant('link'),
      point,
      category,
      limit: fc.constantFrom(undefined, -1, 0, 1, 2, 3),
    }),
  },
  { weight: 2, arbitrary: record({ do: fc.constant('privileges'), uid, privileges }) },
  { weight: 2, arbitrary: record({ do: fc.constant('change category'), uid, category }) },
  { weight: 2, arbitrary: record({ do: fc.constant('party'), uid, party: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: record({ do: fc.constant('create or delete guest'), uid, category, privileges }) },
]

/** A guest's own right at some check-in point. */
interface Privilege {
  point: number
  once: boolean
}

/** One step of a sequence; its fields depend on `do`. */
export interface Step {
  do: string
  point?: number
  category?: number
  uid?: string
  times?: number
  persons?: number
  party?: number
  items?: { point: number; uid: string; stamp?: number | undefined }[]
  nth?: number
  limit?: number | undefined
  privileges?: Privilege[]
}

interface ModelCheckIn {
  _id: string
  guestAtPoint: string
  granted: boolean
  persons: number
  /** Equal for items of batches that are the same scan: guest, point and stamp (docs/adr/0004). */
  repeatKey?: string
}

/** The expected state, and the event that must have it. */
export class DoorModel {
  readonly #testEvent: TestEvent
  readonly #points: string[]
  readonly #categories: string[]
  readonly #links = new Map<string, { id: string; limit: number }>()
  readonly #guests = new Map<string, { id: string; category: number; privileges: Privilege[]; party: number }>()
  #checkIns: ModelCheckIn[] = []

  constructor(testEvent: TestEvent, points: string[], categories: string[]) {
    this.#testEvent = testEvent
    this.#points = points
    this.#categories = categories
  }

  static async begin(system: System): Promise<DoorModel> {
    const testEvent = await TestEvent.open(system)
    const points = await Promise.all(Array.from({ length: POINTS }, () => testEvent.point()))
    const categories = await Promise.all(Array.from({ length: CATEGORIES }, () => testEvent.category()))
    const model = new DoorModel(testEvent, points, categories)
    await model.#setLink(0, 0, 2)
    await model.#toggleGuest('ada', 0, [])
    const everywhere = Array.from({ length: POINTS }, (_, point) => ({ point, once: true }))
    await model.#toggleGuest('bob', 0, everywhere)
    return model
  }

  async perform(step: Step): Promise<void> {
    const { point = 0, category = 0, uid = '', privileges = [] } = step
    if (step.do === 'link') await this.#setLink(point, category, step.limit)
    if (step.do === 'privileges') await this.#setPrivileges(uid, privileges)
    if (step.do === 'change category') await this.#changeCategory(uid, category)
    if (step.do === 'create or delete guest') await this.#toggleGuest(uid, category, privileges)
    if (step.do === 'party') await this.#setParty(uid, step.party ?? 1)
    if (step.do === 'scan') await this.#scan(point, uid, step.times ?? 1, step.persons ?? 1)
    if (step.do === 'batch') await this.#batch(step.items ?? [])
    if (step.do === 'remove') await this.#remove(step.nth ?? 0)
  }

  /** The key of the ledger's set of uids that have been at a point. */
  ledgerKey(point: number): string {
    return `${this.#testEvent.system.namespace}:{${this.#testEvent.id}}:entered:${this.#points[point]}`
  }

  async #setLink(point: number, category: number, limit: number | undefined): Promise<void> {
    const key = `${point} ${category}`
    const link = this.#links.get(key)
    if (limit === undefined) {
      if (link) await this.#testEvent.remove(`guest_category_accesspoints/${link.id}.json`)
      this.#links.delete(key)
    } else if (link) {
      await this.#testEvent.change(`guest_category_accesspoints/${link.id}.json`, { max_allowed_accesses: limit })
      link.limit = limit
    } else {
      const id = await this.#testEvent.link(this.#categories[category] as string, this.#points[point] as string, limit)
      this.#links.set(key, { id, limit })
    }
  }

  #attributes(privileges: Privilege[]): object[] {
    return privileges.map(({ point, once }) => ({ accesspoint_id: this.#points[point], access_once: once }))
  }

  async #setPrivileges(uid: string, privileges: Privilege[]): Promise<void> {
    const guest = this.#guests.get(uid)
    if (!guest) return
    await this.#testEvent.change(`guests/${guest.id}.json`, {
      access_privileges_attributes: this.#attributes(privileges),
    })
    guest.privileges = privileges
  }

  async #changeCategory(uid: string, category: number): Promise<void> {
    const guest = this.#guests.get(uid)
    if (!guest) return
    await this.#testEvent.change(`guests/${guest.id}.json`, { guest_category_id: this.#categories[category] })
    guest.category = category
  }

  async #setParty(uid: string, party: number): Promise<void> {
    const guest = this.#guests.get(uid)
    if (!guest) return
    await this.#testEvent.change(`guests/${guest.id}.json`, { party_size: party })
    guest.party = party
  }

  async #toggleGuest(uid: string, category: number, privileges: Privilege[]): Promise<void> {
    const guest = this.#guests.get(uid)
    if (guest) {
      await this.#testEvent.remove(`guests/${guest.id}.json`)
      this.#guests.delete(uid)
    } else {
      const fields = { access_privileges_attributes: this.#attributes(privileges) }
      const id = await this.#testEvent.guest(this.#categories[category] as string, uid, fields)
      this.#guests.set(uid, { id, category, privileges, party: 1 })
    }
  }

  /** The statuses that `times` simultaneous scans for so many persons must get, in any order. */
  #expected(point: number, uid: string, times: number, persons = 1): number[] {
    const guest = this.#guests.get(uid)
    const link = guest && this.#links.get(`${point} ${guest.category}`)?.limit
    const before = this.#checkIns.filter(({ guestAtPoint, granted }) => granted && guestAtPoint === `${point} ${uid}`)
    const used = before.reduce((sum, checkIn) => sum + checkIn.persons, 0)
    const own = (guest?.privileges ?? []).filter((each) => each.point === point).map(({ once }) => once)
    const rights = { isGuest: guest !== undefined, link, own, party: guest?.party ?? 1 }
    return Array.from({ length: times }, (_, n) => statusBy(rights, used + n * persons, persons)).sort()
  }

  /** What the model expects statuses by, for messages. */
  #rightsOf(point: number, uid: string): string {
    const guest = this.#guests.get(uid)
    if (!guest) return `statuses of ${uid}, who is no guest, at point ${point}`
    const link = this.#links.get(`${point} ${guest.category}`)?.limit ?? 'none'
    return `statuses of ${uid} at point ${point}: link ${link}, party ${guest.party}, privileges ${JSON.stringify(guest.privileges)}`
  }

  async #scan(point: number, uid: string, times: number, persons: number): Promise<void> {
    const expected = this.#expected(point, uid, times, persons)
    const scans = Array.from({ length: times }, () =>
      this.#testEvent.scan(this.#points[point] as string, uid, { persons }),
    )
    const checkIns = await Promise.all(scans)
    expect(statusesOf(checkIns), this.#rightsOf(point, uid)).toEqual(expected)
    for (const { _id, access_status } of checkIns) {
      this.#checkIns.push({ _id, guestAtPoint: `${point} ${uid}`, granted: access_status === 0, persons })
    }
  }

  async #batch(items: { point: number; uid: string; stamp?: number | undefined }[]): Promise<void> {
    const body = items.map(({ point, uid, stamp }) => ({
      accesspoint_id: this.#points[point],
      guest_uid: uid,
      ...(stamp !== undefined && { access_stamp: `2027-05-01T08:00:0${stamp}.000Z` }),
    }))
    const answers = await this.#testEvent.make('access_controls/batch_create.json', body)
    const storedEarlier = new Map(this.#checkIns.map((checkIn) => [checkIn.repeatKey, checkIn]))
    const firstSeen = new Map<string, { _id: string; access_status: number }[]>()
    const earlierInBatch = new Map<string, string>()
    for (const [index, { point, uid, stamp }] of items.entries()) {
      const guestAtPoint = `${point} ${uid}`
      const repeatKey = stamp === undefined ? undefined : `${guestAtPoint} ${stamp}`
      const answer = answers[index]
      const repeatOf =
        repeatKey === undefined ? undefined : (storedEarlier.get(repeatKey)?._id ?? earlierInBatch.get(repeatKey))
      if (repeatOf !== undefined) expect(answer._id, `item ${index + 1} repeats a check-in`).toBe(repeatOf)
      else firstSeen.set(guestAtPoint, [...(firstSeen.get(guestAtPoint) ?? []), answer])
      if (repeatKey !== undefined) earlierInBatch.set(repeatKey, answer._id)
    }
    for (const [guestAtPoint, checkIns] of firstSeen) {
      const [number, uid] = guestAtPoint.split(' ') as [string, string]
      const point = Number(number)
      const expected = this.#expected(point, uid, checkIns.length)
      expect(statusesOf(checkIns), this.#rightsOf(point, uid)).toEqual(expected)
    }
    for (const [guestAtPoint, checkIns] of firstSeen) {
      for (const { _id, access_status } of checkIns) {
        const repeatKey = [...earlierInBatch].find(([, id]) => id === _id)?.[0]
        const granted = access_status === 0
        this.#checkIns.push({ _id, guestAtPoint, granted, persons: 1, ...(repeatKey && { repeatKey }) })
      }
    }
  }

  async #remove(nth: number): Promise<void> {
    const checkIn = this.#checkIns[nth % Math.max(1, this.#checkIns.length)]
    if (!checkIn) return
    await this.#testEvent.remove(`access_controls/${checkIn._id}.json`)
    this.#checkIns = this.#checkIns.filter((each) => each !== checkIn)
  }

  /** Checks that the stored check-ins are those of the model. */
  async end(): Promise<void> {
    const stored = await this.#testEvent.all('access_controls.json')
    const rows = stored.map(({ _id, access_status }) => `${_id} ${access_status === 0}`)
    expect(rows.sort(), 'stored check-ins').toEqual(
      this.#checkIns.map(({ _id, granted }) => `${_id} ${granted}`).sort(),
    )
  }
}

function statusesOf(checkIns: { access_status: number }[]): number[] {
  return checkIns.map(({ access_status }) => access_status).sort()
}

/**
 * Runs random sequences of steps, each on a new event. `beforeStep` runs before each step. `TEST_PATH`, which a failure prints as `path`, runs its
 * sequence alone.
 */
export async function assertDoorMatchesModel(
  system: System,
  steps: { weight: number; arbitrary: fc.Arbitrary<unknown> }[],
  { runs, length }: { runs: number; length: number },
  beforeStep: (step: Step, model: DoorModel) => Promise<void> = async () => {},
): Promise<void> {
  const sequences = fc.array(fc.oneof(...steps) as fc.Arbitrary<Step>, { minLength: 5, maxLength: length, size: 'max' })
  await assertAll(sequences, runs, async (sequence) => run(await DoorModel.begin(system), sequence, beforeStep))
}

async function run(
  model: DoorModel,
  sequence: Step[],
  beforeStep: (step: Step, model: DoorModel) => Promise<void>,
): Promise<void> {
  for (const [index, step] of sequence.entries()) {
    try {
      await beforeStep(step, model)
      await model.perform(step)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`step ${index + 1} of ${sequence.length}, ${JSON.stringify(step)}: ${reason}`, { cause: error })
    }
  }
  await model.end()
}
