import { readRisingVarints, readVarints } from './columns.ts'
import {
  ACCESS_GRANTED,
  type AccessRules,
  covers,
  defaultPersons,
  entitlementOf,
  type GuestAccess,
  type LinkTerms,
  type Move,
  personsLeft,
  type Reason,
  TOO_MANY_CHECK_INS,
  useWith,
} from './decision.ts'
import { eventDay, UTC_DAYS } from './event-day.ts'
import {
  FORMAT,
  type GuestColumns,
  type SnapshotMessage,
  type SnapshotTerm,
  type TextColumn,
  type UsesColumn,
} from './snapshot-format.ts'
import { HASH_BYTES } from './uid-hash.ts'

/** A guest as a device knows it; with personal data if the guest's category allows that. */
export interface KnownGuest extends GuestAccess {
  first_name?: string | null
  last_name?: string | null
  company_name?: string | null
  position?: string | null
  /** The organizer's note to the door. */
  message?: string | null
  /** The values of the guest fields in the snapshot's `fields`, in their order; absent if there are none. */
  guest_metadata?: { name: string; value: string }[]
}

/** Numbers of persons at check-in points. */
export interface UsesAtPoints {
  /** accesspoint → hash → how many persons of the guest's allowance are used there */
  uses: Map<string, Map<string, number>>
  /** The same of allowances for each day: accesspoint → hash → day → persons */
  dailyUses: Map<string, Map<string, Map<number, number>>>
}

/** What a device knows of an event, to decide without a network. */
export interface Snapshot extends AccessRules, UsesAtPoints {
  event_id: string
  /** To be sent as `since`, for the difference from this snapshot. */
  cursor: string
  /** The server's time; what was answered before is in the snapshot. */
  made_at: string
  /** For `hashUid`. */
  salt: string
  /** By id. */
  accesspoints: Map<string, KnownPoint>
  /** By id. */
  areas: Map<string, KnownArea>
  /** By id. Walk-ins may be added to those with `walk_in`. */
  categories: Map<string, { name: string; walk_in?: true }>
  /** The guest fields whose values are shown, by key. */
  fields: Map<string, { label: string }>
  /** By the hash of the uid. */
  guests: Map<string, KnownGuest>
  /** How many persons came in, where some have come out and their allowance is free again. */
  entered: UsesAtPoints
}

/** A check-in point, as a device knows it. */
export interface KnownPoint {
  name: string
  /** Whether guests who are let in there are asked to sign. */
  signature?: true
}

/** An area of an event. */
export interface KnownArea {
  name: string
  capacity: number | null
}

/** A scan that a device decides. */
export interface DeviceScan {
  accesspoint_id: string
  /** What `hashUid` gives. */
  hash: string
  /** The device's time, in ms; now by default. */
  at?: number
  /** How many come in or out; by default 1, or the whole party at an exit. */
  persons?: number
}

/** What a device decides from its snapshot. */
export interface DeviceDecision {
  access_status: number
  /** How many come in or out, or were to. */
  persons: number
  /** Null if the scan is granted. */
  reason: Reason | null
  /** When the guest's right begins, in ms; only with `too_early`. */
  opens_at?: number
  /** How many persons of the guest may still come in, after these; undefined without a limit or a right. */
  persons_left?: number
  /** Undefined if the guest is unknown. */
  guest?: KnownGuest
  /** The name of the guest's category. */
  category?: string
}

const NO_PRIVILEGES: GuestAccess['access_privileges'] = []

/** The snapshot of a whole message. Throws on other texts. */
export function readSnapshot(text: string): Snapshot {
  return snapshotOf(messageOf(text))
}

/** What a device knows after an answer: a whole snapshot replaces what it knew before, a difference changes it. */
export function updated(snapshot: Snapshot | undefined, text: string): Snapshot {
  const message = messageOf(text)
  if (message.kind === 'whole') return snapshotOf(message)
  if (!snapshot) throw new Error('A difference needs a snapshot')
  apply(snapshot, message)
  return snapshot
}

/**
 * Decides a scan as the door would that knows no more than the snapshot and what this device has let in and out itself.
 *
 * @param own the guest's check-ins that this device has granted without the snapshot knowing, at all points
 * @returns undefined if the snapshot lacks the check-in point
 */
export function decide(
  snapshot: Snapshot,
  { accesspoint_id, hash, at = Date.now(), persons: given }: DeviceScan,
  own: readonly Move[] = [],
): DeviceDecision | undefined {
  if (!snapshot.accesspoints.has(accesspoint_id)) return undefined
  const guest = snapshot.guests.get(hash)
  const persons = given ?? defaultPersons(snapshot, guest, accesspoint_id)
  const known = guest && { guest, category: snapshot.categories.get(guest.guest_category_id)?.name ?? '' }
  const entitlement = entitlementOf(snapshot, guest, accesspoint_id, at)
  if ('reason' in entitlement) return { ...entitlement, persons, ...known }
  const area = snapshot.areaOf.get(accesspoint_id)
  const moves = own.filter((move) => snapshot.areaOf.get(move.accesspoint_id) === area)
  const usedBefore = usedOf(snapshot, accesspoint_id, hash, entitlement.period && at)
  const useOf = (persons: number): number =>
    useWith(entitlement, moves, { accesspoint_id, at, persons }, snapshot.day, usedBefore)
  const isGranted = covers(entitlement, useOf(persons))
  let fitting = persons
  while (fitting > 0 && !covers(entitlement, useOf(fitting))) fitting--
  const left = isGranted ? personsLeft(entitlement, useOf(persons)) : fitting
  return {
    access_status: isGranted ? ACCESS_GRANTED : TOO_MANY_CHECK_INS,
    reason: isGranted ? null : 'used_up',
    persons,
    ...(left !== undefined && { persons_left: left }),
    ...known,
  }
}

/** How many persons of a guest's allowance the snapshot knows to be used; `at`: of the day of this moment. */
export function usedOf({ uses, dailyUses, day }: Snapshot, accesspointId: string, hash: string, at?: number): number {
  if (at === undefined) return uses.get(accesspointId)?.get(hash) ?? 0
  return dailyUses.get(accesspointId)?.get(hash)?.get(eventDay(at, day)) ?? 0
}

function messageOf(text: string): SnapshotMessage {
  const message = JSON.parse(text) as SnapshotMessage
  if (message.format !== FORMAT) throw new Error(`The format of the snapshot is ${message.format}, not ${FORMAT}`)
  return message
}

function snapshotOf(message: SnapshotMessage): Snapshot {
  if (message.kind !== 'whole') throw new Error('The snapshot is a difference, not a whole one')
  const snapshot: Snapshot = { ...headOf(message), guests: new Map(), ...noUses(), entered: noUses() }
  addGuests(snapshot, message)
  return snapshot
}

function noUses(): UsesAtPoints {
  return { uses: new Map(), dailyUses: new Map() }
}

function apply(snapshot: Snapshot, message: SnapshotMessage): void {
  if (message.event_id !== snapshot.event_id) throw new Error('The difference belongs to another event')
  Object.assign(snapshot, headOf(message))
  const changed = hashesOf(message.guests.hashes)
  const gone = hashesOf(message.gone)
  for (const { uses, dailyUses } of [snapshot, snapshot.entered])
    for (const ofPoint of [...uses.values(), ...dailyUses.values()])
      for (const hash of [...changed, ...gone]) ofPoint.delete(hash)
  for (const hash of gone) snapshot.guests.delete(hash)
  addGuests(snapshot, message)
}

function headOf(message: SnapshotMessage) {
  const { event_id, cursor, made_at, salt, accesspoints, categories, areas = [], fields = [], day = UTC_DAYS } = message
  const links = accesspoints.map(
    ({ _id, links }) =>
      [_id, new Map(links.map(([category, ...terms]) => [idAt(categories, category), termsOf(...terms)]))] as const,
  )
  return {
    event_id,
    cursor,
    made_at,
    salt,
    accesspoints: new Map(
      accesspoints.map(({ _id, name, signature }) => [_id, { name, ...(signature && { signature }) }]),
    ),
    areas: new Map(areas.map(({ _id, ...area }) => [_id, area])),
    exits: new Set(accesspoints.flatMap(({ _id, direction }) => (direction === 'out' ? [_id] : []))),
    areaOf: new Map(accesspoints.flatMap(({ _id, area }) => (area ? [[_id, area] as const] : []))),
    day,
    categories: new Map(categories.map(({ _id, ...category }) => [_id, category])),
    fields: new Map(fields.map(({ key, label }) => [key, { label }])),
    links: new Map(links),
  }
}

function termsOf(
  max_allowed_accesses: number,
  from?: number | null,
  until?: number | null,
  terms: SnapshotTerm[] = [],
): LinkTerms {
  return {
    max_allowed_accesses,
    ...(terms.includes('day') && { period: 'day' as const }),
    ...(terms.includes('reentry') && { reentry: true as const }),
    ...(from != null && { valid_from: from }),
    ...(until != null && { valid_until: until }),
  }
}

function addGuests(
  snapshot: Snapshot,
  { guests: columns, accesspoints, categories, fields = [] }: SnapshotMessage,
): void {
  const hashes = hashesOf(columns.hashes)
  const guests = readVarints(columns.categories).map(
    (category): KnownGuest => ({
      guest_category_id: idAt(categories, category),
      access_privileges: NO_PRIVILEGES,
    }),
  )
  addOwnRights(guests, columns.own, accesspoints)
  addNames(guests, columns.names)
  addTexts(guests, columns.companies, (guest, text) => Object.assign(guest, { company_name: text }))
  addTexts(guests, columns.positions, (guest, text) => Object.assign(guest, { position: text }))
  addTexts(guests, columns.messages, (guest, text) => Object.assign(guest, { message: text }))
  for (const { field, ...column } of columns.values ?? []) {
    const name = fields[field]?.key ?? ''
    addTexts(guests, column, (guest, value) => {
      guest.guest_metadata = [...(guest.guest_metadata ?? []), { name, value }]
    })
  }
  addParties(guests, columns.parties)
  for (const [number, hash] of hashes.entries()) snapshot.guests.set(hash, guests[number] as KnownGuest)
  addUses(snapshot, columns.uses, hashes, accesspoints)
  addUses(snapshot.entered, columns.entered ?? [], hashes, accesspoints)
}

function addUses(
  all: UsesAtPoints,
  columns: readonly UsesColumn[],
  hashes: readonly string[],
  accesspoints: SnapshotMessage['accesspoints'],
): void {
  for (const { accesspoint, guests: numbers, counts, day } of columns) {
    const point = idAt(accesspoints, accesspoint)
    const persons = readVarints(counts)
    for (const [index, number] of readRisingVarints(numbers).entries())
      addUse(all, point, hashes[number] as string, persons[index] as number, day)
  }
}

function addUse({ uses, dailyUses }: UsesAtPoints, point: string, hash: string, persons: number, day?: number): void {
  if (day === undefined) inserted(uses, point, () => new Map()).set(hash, persons)
  else
    inserted(
      inserted(dailyUses, point, () => new Map()),
      hash,
      () => new Map(),
    ).set(day, persons)
}

/** The value of a key, which is inserted if it is missing. */
function inserted<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

function addOwnRights(
  guests: KnownGuest[],
  own: GuestColumns['own'],
  accesspoints: SnapshotMessage['accesspoints'],
): void {
  const [points, once] = [readVarints(own.accesspoints), readVarints(own.once)]
  for (const [index, number] of readRisingVarints(own.guests).entries()) {
    const guest = guests[number] as KnownGuest
    const privilege = { accesspoint_id: idAt(accesspoints, points[index] as number), access_once: once[index] === 1 }
    guest.access_privileges = [...guest.access_privileges, privilege]
  }
}

function addNames(guests: KnownGuest[], { guests: numbers, first_names, last_names }: GuestColumns['names']): void {
  for (const [index, number] of readRisingVarints(numbers).entries()) {
    const names = { first_name: first_names[index] ?? null, last_name: last_names[index] ?? null }
    Object.assign(guests[number] as KnownGuest, names)
  }
}

/** Adds a column's texts to their guests. */
function addTexts(
  guests: KnownGuest[],
  column: TextColumn | undefined,
  add: (guest: KnownGuest, text: string) => void,
): void {
  if (!column) return
  for (const [index, number] of readRisingVarints(column.guests).entries())
    add(guests[number] as KnownGuest, column.texts[index] as string)
}

function addParties(guests: KnownGuest[], parties: GuestColumns['parties']): void {
  if (!parties) return
  const sizes = readVarints(parties.sizes)
  for (const [index, number] of readRisingVarints(parties.guests).entries())
    (guests[number] as KnownGuest).party_size = sizes[index] as number
}

/** The hashes of a column. */
function hashesOf(column: string): string[] {
  const binary = atob(column)
  const hashes: string[] = []
  for (let from = 0; from < binary.length; from += HASH_BYTES) hashes.push(binary.slice(from, from + HASH_BYTES))
  return hashes
}

function idAt(things: { _id: string }[], number: number): string {
  return things[number]?._id ?? ''
}
