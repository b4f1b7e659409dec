import fc from 'fast-check'
import { expect } from 'vitest'
import type { DecisionVector, VectorGuest, VectorLink, VectorOutcome, VectorWorld } from './decision-vectors.ts'
import { OracleWorld } from './oracle-world.ts'
import { assertAll, record } from './random-cases.ts'

/*
 * Random cases in which allowances are for each day, guests go out and come in again, parties are split, scans come late and check-ins are deleted.
 * The oracle decides them by replaying all that has happened, one person after another.
 */

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3_600_000
const UIDS = ['ada', 'ada', 'ada', 'bob', 'bob', 'cyd'] as const
const CATEGORIES = ['visitors', 'visitors', 'crew'] as const
/** Nights in which clocks are put back or forward, and one without. */
const NIGHTS = [
  { timezone: 'Europe/Berlin', night: '2026-10-25' },
  { timezone: 'America/New_York', night: '2026-11-01' },
  { timezone: 'America/New_York', night: '2027-03-14' },
  { timezone: 'Australia/Lord_Howe', night: '2027-04-04' },
  { timezone: 'Asia/Kathmandu', night: '2027-05-01' },
]
const STARTS = ['00:00', '02:00', '02:30', '05:00']

/** Where guests come in and go out: a hall, and the event as a whole. */
const POINTS: NonNullable<DecisionVector['points']> = {
  hall: { area: 'hall' },
  'hall out': { area: 'hall', direction: 'out' },
  gate: {},
  'gate out': { direction: 'out' },
}
/** Whoever comes out gives back what the last of several entrances took, of which devices know the sums alone. */
const SECOND_DOOR: typeof POINTS = { 'second hall': { area: 'hall' } }

/** One step of a case; a scan comes so many hours after its beginning, or on the device after the last one. */
type RandomStep =
  | { do: 'scan'; uid: string; at: string; persons: number | undefined; hour: number }
  | { do: 'decide'; uid: string; at: string; persons: number | undefined; hours: number }
  | { do: 'delete'; nth: number }
  | ({ do: 'link' } & VectorLink)
  | { do: 'guest'; uid: string; guest: VectorGuest | null }
  | { do: 'snapshot' }
  | { do: 'upload' }

/** A case. */
interface RandomCase {
  at: (typeof NIGHTS)[number]
  day_starts_at: string
  steps: RandomStep[]
}

/** The steps of a case at check-in points, with a device that decides by itself or without one. */
function stepsAt(points: typeof POINTS, hasDevice: boolean): fc.Arbitrary<RandomStep> {
  const at = fc.constantFrom(...Object.keys(points))
  const point = fc.constantFrom(...Object.keys(points).filter((name) => !points[name]?.direction))
  const uid = fc.constantFrom(...UIDS)
  const category = fc.constantFrom(...CATEGORIES)
  const persons = fc.constantFrom(undefined, 1, 1, 2, 3)
  const hour = fc.nat(80).map((halves) => halves / 2)
  const own = fc.array(record({ point, once: fc.boolean() }), { maxLength: 1 })
  const guest = record<VectorGuest>({ category, own, party: fc.integer({ min: 1, max: 4 }) })
  const terms = fc.constantFrom<Partial<VectorLink>>(
    {},
    { period: 'day' },
    { reentry: true },
    { period: 'day', reentry: true },
    { period: 'day', reentry: true },
  )
  const link = fc
    .tuple(category, point, fc.constantFrom(null, -1, 0, 1, 1, 1, 1, 2), terms)
    .map(([category, point, limit, terms]): RandomStep => ({ do: 'link', category, point, limit, ...terms }))
  const steps: fc.WeightedArbitrary<RandomStep>[] = [
    { weight: 20, arbitrary: record({ do: fc.constant('scan'), uid, at, persons, hour }) },
    { weight: 3, arbitrary: record({ do: fc.constant('delete'), nth: fc.nat(1_000) }) },
    { weight: 3, arbitrary: link },
    {
      weight: 2,
      arbitrary: record({ do: fc.constant('guest'), uid, guest: fc.option(guest, { freq: 5, nil: null }) }),
    },
  ]
  const ofDevice: fc.WeightedArbitrary<RandomStep>[] = [
    { weight: 10, arbitrary: record({ do: fc.constant('decide'), uid, at, persons, hours: fc.nat(6) }) },
    { weight: 3, arbitrary: record({ do: fc.constant('snapshot') }) },
    { weight: 3, arbitrary: record({ do: fc.constant('upload') }) },
  ]
  return fc.oneof(...steps, ...(hasDevice ? ofDevice : []))
}

/** How a case is compared. */
interface Comparing {
  runs: number
  /** Whether a device decides too. */
  hasDevice?: boolean
  /** Whether a device sends each guest once at a time, so that nothing depends on the order within a batch. */
  isOnePerBatch?: boolean
}

/** Plays random cases in a world and with the oracle, and expects the same outcomes. */
export async function assertWorldMatchesOracle(
  open: (vector: DecisionVector) => VectorWorld | Promise<VectorWorld>,
  { runs, hasDevice = false, isOnePerBatch = false }: Comparing,
): Promise<void> {
  const points = hasDevice ? POINTS : { ...POINTS, ...SECOND_DOOR }
  const cases = record<RandomCase>({
    at: fc.constantFrom(...NIGHTS),
    day_starts_at: fc.constantFrom(...STARTS),
    steps: fc.array(stepsAt(points, hasDevice), { minLength: 10, maxLength: 60, size: 'max' }),
  })
  await assertAll(cases, runs, async ({ at: { timezone, night }, day_starts_at, steps }) => {
    const vector: DecisionVector = {
      ...{ name: 'random', days: { timezone, day_starts_at }, points, steps: [] },
      links: [
        { category: 'visitors', point: 'hall', limit: 1, reentry: true },
        { category: 'visitors', point: 'gate', limit: 1, period: 'day', reentry: true },
        ...(hasDevice ? [] : [{ category: 'visitors', point: 'second hall', limit: 1, reentry: true as const }]),
      ],
      guests: { ada: { category: 'visitors', own: [], party: 3 }, bob: { category: 'visitors', own: [] } },
    }
    const begin = Date.parse(night) - DAY_MS
    const both = new Both(await open(vector), new OracleWorld(vector), { begin, isOnePerBatch })
    for (const link of vector.links) await both.perform({ do: 'link', ...link })
    for (const [uid, guest] of Object.entries(vector.guests)) await both.perform({ do: 'guest', uid, guest })
    for (const [index, step] of steps.entries()) await both.perform(step, `step ${index + 1}`)
  })
}

/** A world and the oracle, which are told the same. */
class Both {
  readonly #world: VectorWorld
  readonly #oracle: OracleWorld
  readonly #begin: number
  readonly #isOnePerBatch: boolean
  readonly #guests = new Set<string>()
  readonly #links = new Set<string>()
  /** Whether each granted scan is still stored. */
  readonly #stored: boolean[] = []
  /** The scans that wait on the device, with its decisions. */
  readonly #waiting: { uid: string; status: number }[] = []
  /**
   * Guests of whom a device may know less or more until its next snapshot: those whom the door has scanned while scans of them waited, since a
   * snapshot does not say in which order that was; and those whom it had to turn away and the door lets in.
   */
  readonly #blurred = new Set<string>()
  #hasSnapshot = false
  #latest = 0
  #scans = 0

  constructor(
    world: VectorWorld,
    oracle: OracleWorld,
    { begin, isOnePerBatch }: { begin: number; isOnePerBatch: boolean },
  ) {
    this.#world = world
    this.#oracle = oracle
    this.#begin = begin
    this.#latest = begin
    this.#isOnePerBatch = isOnePerBatch
  }

  async perform(step: RandomStep, which = 'the beginning'): Promise<void> {
    const what = `${which}, ${JSON.stringify(step)}`
    if (step.do === 'scan') await this.#scan(step, what)
    if (step.do === 'decide') await this.#decide(step, what)
    if (step.do === 'delete') await this.#delete(step.nth)
    if (step.do === 'link') await this.#setLink(step)
    if (step.do === 'guest') await this.#setGuest(step.uid, step.guest)
    if (step.do === 'snapshot') await this.#snapshot()
    if (step.do === 'upload') await this.#upload(what)
  }

  async #scan({ uid, at, persons, hour }: RandomStep & { do: 'scan' }, what: string): Promise<void> {
    if (this.#isWaiting(uid)) this.#blurred.add(uid)
    const scan = { uid, at, ...(persons && { persons }), stamp: this.#stampAt(this.#begin + hour * 3_600_000) }
    const expected = await this.#oracle.scan(scan)
    expectSame(await this.#world.scan(scan), expected, what)
    if (expected.access_status === 0) this.#stored.push(true)
  }

  /** A device's own clock goes on: it knows of the past only what has come of it. */
  async #decide({ uid, at, persons, hours }: RandomStep & { do: 'decide' }, what: string): Promise<void> {
    if (!this.#hasSnapshot || this.#blurred.has(uid) || (this.#isOnePerBatch && this.#isWaiting(uid))) return
    const scan = { uid, at, ...(persons && { persons }), stamp: this.#stampAt(this.#latest + hours * 3_600_000) }
    const expected = await this.#oracle.decide('phone', scan)
    expectSame(await this.#world.decide('phone', scan), expected, what)
    this.#waiting.push({ uid, status: expected.access_status })
  }

  async #delete(nth: number): Promise<void> {
    const left = [...this.#stored.keys()].filter((granted) => this.#stored[granted])
    const granted = left[nth % Math.max(1, left.length)]
    if (granted === undefined) return
    this.#stored[granted] = false
    await this.#oracle.deleteGranted(granted)
    await this.#world.deleteGranted(granted)
  }

  async #setLink(link: VectorLink): Promise<void> {
    const key = `${link.point} ${link.category}`
    if (link.limit === null && !this.#links.delete(key)) return
    if (link.limit !== null) this.#links.add(key)
    await this.#oracle.setLink(link)
    await this.#world.setLink(link)
  }

  async #setGuest(uid: string, guest: VectorGuest | null): Promise<void> {
    if (!guest && !this.#guests.delete(uid)) return
    if (guest) this.#guests.add(uid)
    await this.#oracle.setGuest(uid, guest)
    await this.#world.setGuest(uid, guest)
  }

  async #snapshot(): Promise<void> {
    this.#hasSnapshot = true
    for (const uid of this.#blurred) if (!this.#isWaiting(uid)) this.#blurred.delete(uid)
    await this.#oracle.snapshot('phone')
    await this.#world.snapshot('phone')
  }

  async #upload(what: string): Promise<void> {
    const sent = this.#waiting.splice(0)
    if (sent.length === 0) return
    const expected = await this.#oracle.upload('phone')
    expect(await this.#world.upload('phone'), what).toEqual(expected)
    for (const [index, { uid, status }] of sent.entries()) {
      if (expected[index] !== 0) continue
      this.#stored.push(true)
      if (status !== 0) this.#blurred.add(uid)
    }
  }

  #isWaiting(uid: string): boolean {
    return this.#waiting.some((scan) => scan.uid === uid)
  }

  /** A stamp of its own, so that nothing is the same scan and nothing happens at once. */
  #stampAt(moment: number): string {
    const at = Math.floor(moment / MINUTE_MS) * MINUTE_MS + ++this.#scans
    this.#latest = Math.max(this.#latest, at)
    return new Date(at).toISOString()
  }
}

function expectSame(given: VectorOutcome, expected: VectorOutcome, what: string): void {
  const shown = ({ access_status, reason, persons, persons_left }: VectorOutcome) => {
    return { access_status, reason, persons, persons_left: persons_left ?? null }
  }
  expect(shown(given), what).toEqual(shown(expected))
}
