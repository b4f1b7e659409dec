import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { Left } from './changing.ts'
import type { DoorClient } from './client.ts'
import { make } from './drill-event.ts'
import { sendUntilAnswered } from './load.ts'
import { now, type ScannedGuest } from './record.ts'
import { inEvent } from './scanning.ts'

const GUESTS = 12
const PARTY = 4
const CAPACITY = 20
const WALK_IN_SHARE = 0.15
const MAX_BREAK_MS = 40
/** How long the walk-in waits that was not answered. */
const RETRY_MS = 100
const RETRY_FOR_MS = 60_000
/** Lines of a guest's history in a report. */
const SHOWN_HISTORY = 14

/** A party and how many of it are inside. */
interface Party {
  uid: string
  size: number
  inside: number
  history: string[]
}

/** An area of a mover's own, with an entrance through which whoever has come out comes in again, and an exit. */
interface MoversArea {
  area: string
  entrance: string
  exit: string
  category: string
}

/** Leads parties in and out, one after another, and compares each scan with how many of the party are inside. */
class Mover {
  readonly #client: DoorClient
  readonly #chance: Random
  readonly #area: MoversArea
  readonly #name: string
  readonly parties: Party[]
  #walkIns = 0

  constructor(client: DoorClient, chance: Random, name: string, area: MoversArea, parties: Party[]) {
    this.#client = client
    this.#chance = chance
    this.#name = name
    this.#area = area
    this.parties = parties
  }

  /** False if a scan was not answered, after which the state is unknown. */
  async step(): Promise<boolean> {
    // What one gateway was told must be known through the other.
    this.#client.turn()
    if (this.#chance.chance(WALK_IN_SHARE)) return this.#walkIn()
    const party = this.#chance.pick(this.parties)
    const persons = 1 + this.#chance.below(Math.min(3, party.size))
    return this.#chance.chance(0.5) ? this.#enter(party, persons) : this.#leave(party, persons)
  }

  async #enter(party: Party, persons: number): Promise<boolean> {
    const isRoom = party.inside + persons <= party.size
    return this.#scan(party, this.#area.entrance, persons, isRoom ? 0 : 3)
  }

  async #leave(party: Party, persons: number): Promise<boolean> {
    return this.#scan(party, this.#area.exit, -persons, 0)
  }

  /** @param by how many come in; negative for those who come out */
  async #scan(party: Party, point: string, by: number, expected: number): Promise<boolean> {
    const { record } = this.#client
    const scan = record.scan(placeOf(party.uid, point), 'keyed', Math.abs(by))
    if (!(await sendUntilAnswered(this.#client, scan, crypto.randomUUID(), this.#chance))) return false
    const given = scan.answers[0]?.status
    party.history.push(
      `${Math.round(now())} ms: ${by} persons, ${party.inside} inside: ${scan.stamp} answered ${given}, expected ${expected}`,
    )
    if (given !== expected)
      record.violation('moves', 'a scan is decided without what came in and out before', [
        party.uid,
        ...party.history.slice(-SHOWN_HISTORY),
      ])
    if (given === 0) party.inside = Math.max(0, Math.min(party.inside + by, party.size))
    record.changed(by > 0 ? 'entry' : 'exit')
    return true
  }

  /** Adds a guest at the door. The same walk-in is sent until it is answered, sometimes twice at once. */
  async #walkIn(): Promise<boolean> {
    const { record } = this.#client
    const { category, entrance } = this.#area
    const uid = `${this.#name}-walk-in-${this.#walkIns++}`
    const scan = record.scan(placeOf(uid, entrance), 'keyed', 1 + this.#chance.below(2))
    const { stamp, persons } = scan
    const body = { uid, guest_category_id: category, accesspoint_id: entrance, access_stamp: stamp, persons }
    const send = async (): Promise<void> => {
      scan.sent.push(now())
      const { status, body: made, at } = await this.#client.ask('POST', inEvent('walk_ins.json'), body)
      if (status !== 201) return
      const { _id, access_status } = made.access_control
      scan.answers.push({ _id, status: access_status, at })
    }
    const until = now() + RETRY_FOR_MS
    while (scan.answers.length === 0 && now() < until) {
      if (scan.sent.length > 0) await sleep(RETRY_MS)
      await Promise.all(Array.from({ length: this.#chance.chance(0.2) ? 2 : 1 }, send))
    }
    if (scan.answers.length === 0) return false
    if (scan.answers.some(({ status }) => status !== 0)) record.violation('moves', 'a walk-in is refused', [uid])
    this.parties.push({ uid, size: persons, inside: persons, history: [`walk-in ${stamp} with ${persons} persons`] })
    record.changed('walk-in')
    return true
  }

  /** Compares the area with those who are inside. */
  async compareInside(): Promise<void> {
    const { inside_count } = await this.#client.read(inEvent(`areas/${this.#area.area}.json`))
    const expected = this.parties.reduce((sum, { inside }) => sum + inside, 0)
    if (inside_count !== expected)
      this.#client.record.violation('moves', 'an area counts others than who are inside', [
        `${this.#name}: ${inside_count} inside, expected ${expected}`,
      ])
  }
}

function placeOf(uid: string, point: string): ScannedGuest {
  return { uid, point, limit: undefined, refusal: 3 }
}

/**
 * Leads parties of its own into an area of its own and out again, and adds walk-ins, one scan after another until `stop`: each is decided by those
 * that were answered before it, whichever process they came to. Returns the guests and the category that exist at the end.
 */
export async function moveOn(client: DoorClient, name: string, chance: Random, stop: AbortSignal): Promise<Left> {
  const category = await make(client, 'guest_categories', { name, walk_in_enabled: true })
  const area = await make(client, 'areas', { name, capacity: CAPACITY })
  const entrance = await make(client, 'accesspoints', { name: `${name} in`, area_id: area })
  const exit = await make(client, 'accesspoints', { name: `${name} out`, area_id: area, direction: 'out' })
  const link = { guest_category_id: category, accesspoint_id: entrance, max_allowed_accesses: 1, reentry: true }
  await make(client, 'guest_category_accesspoints', link)
  const parties = Array.from({ length: GUESTS }, (_, n): Party => {
    return { uid: `${name}-${n}`, size: PARTY, inside: 0, history: [] }
  })
  for (const { uid, size } of parties)
    await make(client, 'guests', { guest_category_id: category, uid, party_size: size })
  const mover = new Mover(client, chance, name, { area, entrance, exit, category }, parties)
  let isKnown = true
  while (!stop.aborted && isKnown) {
    isKnown = await mover.step()
    await sleep(chance.below(MAX_BREAK_MS))
  }
  if (isKnown) await mover.compareInside()
  return { uids: mover.parties.map(({ uid }) => uid), categories: [category] }
}
