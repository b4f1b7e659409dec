import { setTimeout as sleep } from 'node:timers/promises'
import { statusBy } from '@gatehouse/cli/demo/decision-table.ts'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { DoorClient } from './client.ts'
import { make } from './drill-event.ts'
import { sendUntilAnswered } from './load.ts'
import { now, type ScannedGuest } from './record.ts'
import { inEvent } from './scanning.ts'

const GUESTS = 20
const LIMITS = [-1, 0, 1, 2, 3]
const MAX_BREAK_MS = 40
/** Changes of the link, of a guest's category and privilege, and a deletion, as `#change` draws them: a changer begins with one of each. */
const FIRST_KINDS = [0, 0.2, 0.3, 0.4]
/** An early try of a repeated change may still arrive within this time; nothing that it could undo is changed meanwhile. */
const GRACE_MS = 15_000
/** Lines of a guest's history in a report. */
const SHOWN_HISTORY = 14

interface ChangedGuest {
  place: ScannedGuest
  /** Undefined while the guest is deleted. */
  id: string | undefined
  isLinked: boolean
  /** `access_once` of the guest's privilege at the point; undefined without one. */
  once: boolean | undefined
  used: number
  quietUntil: number
  history: string[]
}

/** A changer's own point, and one link of one category to it. */
interface ChangedPoint {
  point: string
  linked: string
  unlinked: string
  link: { id: string; limit: number } | undefined
  quietUntil: number
}

/** Changes rights and scans, one after another, and compares each scan with the decision table. */
class Changer {
  readonly #client: DoorClient
  readonly #chance: Random
  readonly #door: ChangedPoint
  readonly guests: ChangedGuest[]
  readonly #firstKinds: number[]

  constructor(client: DoorClient, chance: Random, door: ChangedPoint, guests: ChangedGuest[]) {
    this.#client = client
    this.#chance = chance
    this.#door = door
    this.guests = guests
    this.#firstKinds = chance.shuffled(FIRST_KINDS)
  }

  /** Whether it has not tried each of the first kinds yet. */
  get isBeginning(): boolean {
    return this.#firstKinds.length > 0
  }

  /** A change and a scan right after its answer, or a scan alone; false if one was not answered, after which the state is unknown. */
  async step(): Promise<boolean> {
    const guest = this.#chance.pick(this.guests)
    if (!(await this.#change(guest, this.#firstKinds.pop() ?? this.#chance.next()))) return false
    // Changes through one gateway must be seen through the other.
    this.#client.turn()
    return this.#scan(guest)
  }

  async #change(guest: ChangedGuest, kind: number): Promise<boolean> {
    if (kind < 0.12) return now() < this.#door.quietUntil || this.#changeLink()
    if (kind >= 0.45 || now() < guest.quietUntil) return true
    if (!guest.id) return this.#enrol(guest)
    if (kind < 0.22) return this.#move(guest, guest.id)
    if (kind < 0.36) return this.#privilege(guest, guest.id)
    return this.#remove(guest, guest.id)
  }

  /** Retries until there is an answer. After more than one try `keptQuiet` is left alone for a while. */
  async #ask(
    kind: string,
    [method, path]: [method: string, path: string],
    body: object | undefined,
    keptQuiet: { quietUntil: number },
  ): Promise<{ id: string } | undefined> {
    let tries = 0
    const key = method === 'POST' ? crypto.randomUUID() : undefined
    const answer = await this.#client.retry(method, inEvent(path), body, key, { tries: () => tries++ })
    if (tries > 1) keptQuiet.quietUntil = now() + GRACE_MS
    if (answer) this.#client.record.changed(kind)
    else
      this.#client.record.violation('recovery', 'a change that was retried for a minute got no answer', [
        `${kind}: ${path}`,
      ])
    return answer && { id: answer.body?._id ?? answer.body?.id }
  }

  async #changeLink(): Promise<boolean> {
    const door = this.#door
    const limit = this.#chance.pick(LIMITS)
    if (!door.link) {
      const body = { guest_category_id: door.linked, accesspoint_id: door.point, max_allowed_accesses: limit }
      const made = await this.#ask('link made', ['POST', 'guest_category_accesspoints.json'], body, door)
      if (!made) return false
      door.link = { id: made.id, limit }
    } else if (this.#chance.chance(0.2)) {
      const path = `guest_category_accesspoints/${door.link.id}.json`
      if (!(await this.#ask('link deleted', ['DELETE', path], undefined, door))) return false
      door.link = undefined
    } else {
      const path = `guest_category_accesspoints/${door.link.id}.json`
      if (!(await this.#ask('limit', ['PUT', path], { max_allowed_accesses: limit }, door))) return false
      door.link.limit = limit
    }
    for (const guest of this.guests) log(guest, `the link's limit is ${door.link?.limit ?? 'gone'}`)
    return true
  }

  async #move(guest: ChangedGuest, id: string): Promise<boolean> {
    const body = { guest_category_id: guest.isLinked ? this.#door.unlinked : this.#door.linked }
    if (!(await this.#ask('category', ['PUT', `guests/${id}.json`], body, guest))) return false
    guest.isLinked = !guest.isLinked
    log(guest, `the category is ${guest.isLinked ? 'linked' : 'unlinked'}`)
    return true
  }

  async #privilege(guest: ChangedGuest, id: string): Promise<boolean> {
    const once = this.#chance.pick([undefined, true, false])
    const body = this.#privileges(once)
    if (!(await this.#ask('privilege', ['PUT', `guests/${id}.json`], body, guest))) return false
    guest.once = once
    log(guest, `the privilege's access_once is ${once ?? 'gone'}`)
    return true
  }

  async #remove(guest: ChangedGuest, id: string): Promise<boolean> {
    if (!(await this.#ask('guest deleted', ['DELETE', `guests/${id}.json`], undefined, guest))) return false
    guest.id = undefined
    log(guest, 'the guest is deleted')
    return true
  }

  /** Creates a deleted guest again, under the same uid: earlier grants still count. */
  async #enrol(guest: ChangedGuest): Promise<boolean> {
    const isLinked = this.#chance.chance(0.5)
    const once = this.#chance.pick([undefined, undefined, true, false])
    const guest_category_id = isLinked ? this.#door.linked : this.#door.unlinked
    const body = { guest_category_id, uid: guest.place.uid, ...this.#privileges(once) }
    const made = await this.#ask('guest made again', ['POST', 'guests.json'], body, guest)
    if (!made) return false
    Object.assign(guest, { id: made.id, isLinked, once })
    log(
      guest,
      `the guest is made again: ${isLinked ? 'linked' : 'unlinked'} category, access_once ${once ?? 'not given'}`,
    )
    return true
  }

  #privileges(once: boolean | undefined): { access_privileges_attributes: object[] } {
    const own = { accesspoint_id: this.#door.point, access_once: once }
    return { access_privileges_attributes: once === undefined ? [] : [own] }
  }

  async #scan(guest: ChangedGuest): Promise<boolean> {
    const scan = this.#client.record.scan(guest.place, 'keyed')
    if (!(await sendUntilAnswered(this.#client, scan, crypto.randomUUID(), this.#chance))) return false
    const link = guest.isLinked ? this.#door.link?.limit : undefined
    const own = guest.once === undefined ? [] : [guest.once]
    const expected = statusBy({ isGuest: guest.id !== undefined, link, own }, guest.used)
    const given = scan.answers[0]?.status
    log(
      guest,
      `scan ${scan.stamp}, first sent at ${Math.round(scan.sent[0] ?? 0)} ms, ${scan.sent.length} times, answered ${given}, expected ${expected} (${guest.used} used)`,
    )
    if (given !== expected)
      this.#client.record.violation('changes', 'a change of rights is not seen', [
        guest.place.uid,
        ...guest.history.slice(-SHOWN_HISTORY),
      ])
    if (given === 0) guest.used++
    return true
  }
}

function log({ history }: ChangedGuest, what: string): void {
  history.push(`${Math.round(now())} ms: ${what}`)
}

/** The guests and categories that exist at the end. */
export interface Left {
  uids: string[]
  categories: string[]
}

/**
 * Changes the rights of guests of its own at a point of its own, and scans them, one after another: each scan must see all changes that were
 * answered before it was sent. It stops after a change of each of the first kinds at the earliest, so that a short run on a busy machine has them.
 */
export async function changeOn(client: DoorClient, name: string, chance: Random, stop: AbortSignal): Promise<Left> {
  const linked = await make(client, 'guest_categories', { name: `${name} linked` })
  const unlinked = await make(client, 'guest_categories', { name: `${name} unlinked` })
  const point = await make(client, 'accesspoints', { name })
  const door: ChangedPoint = { point, linked, unlinked, link: undefined, quietUntil: 0 }
  const guests = await Promise.all(
    Array.from({ length: GUESTS }, async (_, n): Promise<ChangedGuest> => {
      const uid = `${name}-${n}`
      const id = await make(client, 'guests', { guest_category_id: linked, uid })
      const place: ScannedGuest = { uid, point, limit: undefined, refusal: 3 }
      return { place, id, isLinked: true, once: undefined, used: 0, quietUntil: 0, history: [] }
    }),
  )
  const changer = new Changer(client, chance, door, guests)
  while ((changer.isBeginning || !stop.aborted) && (await changer.step())) await sleep(chance.below(MAX_BREAK_MS))
  const uids = guests.filter(({ id }) => id !== undefined).map(({ place }) => place.uid)
  return { uids, categories: [linked, unlinked] }
}
