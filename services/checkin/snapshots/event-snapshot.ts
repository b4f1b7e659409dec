import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type AccessRules, entriesOf, usesOf } from '@gatehouse/door/decision.ts'
import { UTC_DAYS } from '@gatehouse/door/event-day.ts'
import type { KnownArea, KnownGuest, KnownPoint } from '@gatehouse/door/snapshot.ts'
import { SnapshotWriter } from '@gatehouse/door/snapshot-writing.ts'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import { Paced } from '@gatehouse/proto/concurrency/paced.ts'
import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import type { Download } from '@gatehouse/proto/declaring/resource.ts'
import type { AccesspointStore } from '../accesspoints/store.ts'
import type { AreaStore } from '../areas/store.ts'
import type { EventTotals } from '../counting/event-totals.ts'
import { rulesOf } from '../door/access-rules.ts'
import type { LinkStore } from '../links/store.ts'
import type { events, guestCategories, guestFields, guests } from '../permissions.ts'
import { hashOf, KnownGuests } from './known-guests.ts'
import { KnownUses } from './known-uses.ts'
import { Versions } from './versions.ts'

/** What snapshots are made of. */
export interface SnapshotSources {
  guests: Client<typeof guests>
  guestCategories: Client<typeof guestCategories>
  guestFields: Client<typeof guestFields>
  events: Client<typeof events>
  accesspoints: AccesspointStore
  areas: AreaStore
  links: LinkStore
  totals: EventTotals
}

/** What is sent whole with each difference. */
interface SnapshotRights extends AccessRules {
  accesspoints: Map<string, KnownPoint>
  areas: Map<string, KnownArea>
  categories: Map<string, { name: string; device_names_enabled: boolean; walk_in?: true; updated_at: Date }>
  /** Those whose values devices show, by key. */
  fields: Map<string, { label: string; updated_at: Date }>
}

/** Which answer someone needs. */
interface Wanted {
  /** The version from which the difference is needed; undefined for a whole snapshot. */
  from: number | undefined
  /** Whether a cursor was sent from which the difference is not known. */
  cursor_too_old: boolean
  /** The only check-in points that the asker may see; all of them if it is undefined. */
  accesspoint_ids: readonly string[] | undefined
}

const NO_RIGHTS: SnapshotRights = {
  accesspoints: new Map(),
  areas: new Map(),
  categories: new Map(),
  fields: new Map(),
  links: new Map(),
  exits: new Set(),
  areaOf: new Map(),
  day: UTC_DAYS,
}
/** Answers of one version that are kept. */
const MAX_KEPT = 50

/**
 * This process's copy of what devices may know of one event, and the answers made of it. A refresh reads what has changed before it began; then a
 * version is answered to all who asked before (docs/adr/0013).
 */
export class EventSnapshot {
  readonly #event_id: string
  /** The event's id: who has hashes has their salt too, so it only has to differ between events. */
  readonly #salt: string
  readonly #sources: SnapshotSources
  readonly #guests: KnownGuests
  readonly #uses: KnownUses
  readonly #versions = new Versions()
  readonly #refreshes = new Paced(() => this.#inTurn(() => this.#refresh()))
  #rights = NO_RIGHTS
  /** Answers of the current version. */
  readonly #answers = new Map<string, Download>()
  #turn: Promise<unknown> = Promise.resolve()
  #asking = 0

  constructor(event_id: string, sources: SnapshotSources) {
    this.#event_id = event_id
    this.#salt = event_id
    this.#sources = sources
    this.#guests = new KnownGuests(sources.guests, event_id, this.#salt)
    this.#uses = new KnownUses(sources.totals, event_id)
  }

  /** The number of guests in memory. */
  get size(): number {
    return this.#guests.size
  }

  /** Whether someone waits for an answer: without this copy another one would take its changes. */
  get isAsked(): boolean {
    return this.#asking > 0
  }

  /** Guests with these uids have changed. */
  invalidate(uids: string[]): void {
    this.#guests.invalidate(uids)
  }

  /** Guests with these uids are about to lose them. */
  doubt(uids: string[]): void {
    this.#guests.doubt(uids)
  }

  /** Any guest may have changed. */
  invalidateAll(): void {
    this.#guests.invalidateAll()
  }

  /** The difference since a cursor, or the whole snapshot. It has whatever was answered before this call. */
  async answer(since: string | undefined, accesspoint_ids?: readonly string[]): Promise<Download> {
    this.#asking++
    try {
      await this.#refreshes.run()
      return await this.#inTurn(async () => {
        const from = since === undefined ? undefined : this.#versions.versionOf(since)
        const cursor_too_old = since !== undefined && from === undefined
        return this.#answerOf({ from, cursor_too_old, accesspoint_ids })
      })
    } finally {
      this.#asking--
    }
  }

  /** Does one thing at a time: an answer is made of one version. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => {})
    return turn
  }

  async #refresh(): Promise<void> {
    const begun = Date.now()
    const mark = (uid: string): void => this.#versions.mark(uid)
    const rights = await this.#readRights()
    await this.#uses.refresh(mark)
    await this.#guests.refresh(namedOf(rights), mark)
    const isSame = textOf(rights) === textOf(this.#rights)
    // What is used of allowances follows from the rights too.
    if (usageOf(rights) !== usageOf(this.#rights)) for (const uid of this.#uses.uids()) mark(uid)
    this.#rights = rights
    const before = this.#versions.current
    this.#versions.end(begun, !isSame)
    if (this.#versions.current > before) this.#answers.clear()
  }

  async #readRights(): Promise<SnapshotRights> {
    const event_id = this.#event_id
    const [points, areas, links, categories, fields] = await Promise.all([
      this.#sources.accesspoints.ofEvent(event_id),
      this.#sources.areas.ofEvent(event_id),
      this.#sources.links.ofEvent(event_id),
      this.#sources.guestCategories.at_door({ body: { event_id } }),
      this.#sources.guestFields.at_door({ body: { event_id } }),
    ])
    return {
      accesspoints: new Map(
        points.map(({ _id, name, signature_enabled }) => [
          _id,
          { name, ...(signature_enabled && { signature: true as const }) },
        ]),
      ),
      areas: new Map(areas.map(({ _id, name, capacity }) => [_id, { name, capacity }])),
      categories: new Map(
        categories.map(({ _id, walk_in_enabled, ...category }) => [
          _id,
          { ...category, ...(walk_in_enabled && { walk_in: true as const }) },
        ]),
      ),
      fields: new Map(fields.map(({ key, label, updated_at }) => [key, { label: label ?? key, updated_at }])),
      ...(await rulesOf(event_id, points, links, this.#sources.events)),
    }
  }

  async #answerOf(wanted: Wanted): Promise<Download> {
    const key = JSON.stringify(wanted)
    const known = this.#answers.get(key)
    if (known) return known
    const text = await this.#write(wanted)
    const answer: Download = {
      bytes: await promisify(gzip)(text),
      content_encoding: 'gzip',
      // A weak one, since it stands for the uncompressed answer too.
      etag: `W/"${hash('sha256', `${this.#versions.contents} ${key}`, 'base64url')}"`,
    }
    if (this.#answers.size < MAX_KEPT) this.#answers.set(key, answer)
    return answer
  }

  async #write({ from, cursor_too_old, accesspoint_ids }: Wanted): Promise<string> {
    const { accesspoints, ...rights } = this.#rights
    const isShown = ([id]: [string, unknown]): boolean =>
      !accesspoint_ids || isSeenFrom(accesspoint_ids, id, this.#rights)
    const { begun, cursor } = this.#versions
    const writer = new SnapshotWriter({
      event_id: this.#event_id,
      cursor,
      made_at: begun.toISOString(),
      salt: this.#salt,
      accesspoints: new Map([...accesspoints].filter(isShown)),
      ...rights,
    })
    const uids = from === undefined ? [...this.#guests.uids()] : this.#versions.changedSince(from)
    await timeSlicer.map(uids, (uid) => {
      const guest = this.#guests.get(uid)
      if (!guest) return writer.addGone(hashOf(this.#salt, uid))
      const moves = this.#uses.movesOf(uid)
      const entered = entriesOf(this.#rights, guest, moves)
      writer.add(guest.hash, this.#shown(guest), usesOf(this.#rights, guest, moves), entered)
    })
    return writer.finish(from === undefined ? 'whole' : 'difference', cursor_too_old)
  }

  /** A guest without personal data, unless its category allows them now. */
  #shown(guest: KnownGuest): KnownGuest {
    if (this.#rights.categories.get(guest.guest_category_id)?.device_names_enabled) return guest
    const { guest_category_id, access_privileges, party_size } = guest
    return { guest_category_id, access_privileges, ...(party_size !== undefined && { party_size }) }
  }
}

/** Whether who is bound to check-in points sees one: its own, and the entrances by which it judges who may come out at its exits. */
function isSeenFrom(ids: readonly string[], id: string, { exits, areaOf }: AccessRules): boolean {
  const isEntranceOf = (own: string): boolean => exits.has(own) && !exits.has(id) && areaOf.get(own) === areaOf.get(id)
  return ids.includes(id) || ids.some(isEntranceOf)
}

/** Which categories allow names, and which guest fields devices show, as a text that changes with them. */
function namedOf({ categories, fields }: SnapshotRights): string {
  const named = [...categories].filter(([, { device_names_enabled }]) => device_names_enabled)
  return JSON.stringify([...named, ...fields].map(([key, { updated_at }]) => [key, updated_at]))
}

/** What of the rights decides how check-ins count against allowances, as a text that changes with it. */
function usageOf({ links, exits, areaOf, day }: AccessRules): string {
  const special = [...links].flatMap(([id, ofPoint]) =>
    Array.from(ofPoint, ([category, { period, reentry }]) => [id, category, period, reentry]).filter(
      ([, , period, reentry]) => period || reentry,
    ),
  )
  return special.length === 0 ? '' : JSON.stringify([special, [...exits], [...areaOf], day])
}

function textOf({ accesspoints, areas, categories, fields, links, exits, areaOf, day }: SnapshotRights): string {
  const all = [...accesspoints, ...areas, ...categories, ...fields, ...exits, ...areaOf]
  return JSON.stringify([all, Array.from(links, ([id, limits]) => [id, [...limits]]), day])
}
