import { guests as guestResource } from '@gatehouse/guests/resources'
import type { Point } from '@gatehouse/imports/check-ins/points.ts'
import type {
  CheckInQuery,
  CreatedCheckIn,
  CreatedGuests,
  DiscountCode,
  EventSystem,
  FoundGuest,
  GuestField,
  GuestOfName,
  ImportedKind,
  KnownGuest,
  NamedThing,
  NewCheckIn,
  NewGuest,
  Person,
  StoredCheckIn,
} from '@gatehouse/imports/system.ts'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf, derivedId } from '@gatehouse/proto/bus/client.ts'
import { Fault, type FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { zoneOf } from '@gatehouse/proto/declaring/time-zones.ts'
import { readerOf } from '@gatehouse/proto/formats/json-reader.ts'
import { foldReference } from '@gatehouse/proto/formats/lists/values.ts'
import type { Static } from 'typebox'
import { type OwnAct, recordAct } from '../acts.ts'
import { ownerOf } from '../event-caller.ts'
import { createGuests } from '../import-guests/guest-batches.ts'
import { IMPORTER } from '../import-guests/rows.ts'
import { allPages } from '../pages.ts'
import { accesspoints, checkIns, events, guestCategories, guestFields, guests, promoCodes } from '../permissions.ts'
import { retried } from '../retry.ts'

const ACTS: Record<ImportedKind, OwnAct> = {
  guests: 'guests.guests.import',
  'check-ins': 'checkin.access_controls.import',
  'discount codes': 'promo.promo_codes.import',
}

const readBody = readerOf(guestResource.actions.create.body)

/** An event that the command line asks over the bus, as its owner. */
export class BusEventSystem implements EventSystem {
  readonly event: string
  readonly #bus: Bus
  readonly #where: { caller: Caller; params: { event_id: string } }

  private constructor(bus: Bus, caller: Caller, event: string) {
    this.#bus = bus
    this.event = event
    this.#where = { caller, params: { event_id: event } }
  }

  /** Throws one sentence when there is no such event. */
  static async open(bus: Bus, event: string): Promise<BusEventSystem> {
    return new BusEventSystem(bus, await ownerOf(bus, event, IMPORTER), event)
  }

  record(kind: ImportedKind): Promise<void> {
    return recordAct(this.#bus, this.#where.caller, ACTS[kind], this.event)
  }

  async zone(): Promise<string> {
    const { timezone } = await retried(() => clientOf(this.#bus, events).read(this.#where))
    return zoneOf(timezone) ?? 'UTC'
  }

  points(): Promise<Point[]> {
    return retried(() => clientOf(this.#bus, accesspoints).list(this.#where))
  }

  categories(): Promise<NamedThing[]> {
    return retried(() => clientOf(this.#bus, guestCategories).list(this.#where))
  }

  guestFields(): Promise<GuestField[]> {
    return retried(() => clientOf(this.#bus, guestFields).list(this.#where))
  }

  async createPoint(name: string): Promise<void> {
    await this.#once((call) => clientOf(this.#bus, accesspoints).create({ ...call, body: { name } as PointBody }))
  }

  async createCategory(name: string, point: string | undefined): Promise<void> {
    const links = point === undefined ? [] : [{ accesspoint_id: point, max_allowed_accesses: 1 }]
    const body = { name, guest_category_accesspoints: links } as CategoryBody
    await this.#once((call) => clientOf(this.#bus, guestCategories).create({ ...call, body }))
  }

  async createGuestFields(keys: readonly string[]): Promise<void> {
    const body = keys.map((key) => ({ key, type: 'text' }) as FieldBody)
    // A field that another import has just created is refused.
    await this.#once((call) => clientOf(this.#bus, guestFields).batch_create({ ...call, body }))
  }

  idOf(...parts: string[]): string {
    return derivedId(...parts)
  }

  guestErrors(body: object): FieldErrors {
    const { guest_category_id: _, ...errors } = readBody(body).errors ?? {}
    return errors
  }

  async refresh(): Promise<void> {}

  async known(given: readonly KnownGuest[], codes: readonly string[]) {
    const body = { event_id: this.event, ids: given.map(({ _id }) => _id), uids: [...codes] }
    const { ids, uids } = await retried(() => clientOf(this.#bus, guests).known({ body }))
    return { ids: new Set(ids), codes: new Set(uids) }
  }

  createGuests<G extends NewGuest>(given: readonly G[], stop: AbortSignal): AsyncGenerator<CreatedGuests<G>> {
    return createGuests(clientOf(this.#bus, guests), this.event, given, stop)
  }

  async codeOf(id: string): Promise<string> {
    const params = { ...this.#where.params, id }
    const { uid } = await retried(() => clientOf(this.#bus, guests).read({ ...this.#where, params, query: {} }))
    return uid
  }

  guestsWithCodes(codes: readonly string[]): Promise<FoundGuest[]> {
    const body = { event_id: this.event, uids: [...codes] }
    return retried(() => clientOf(this.#bus, guests).resolve({ body }))
  }

  guestsLike({ email, name }: Person): AsyncIterable<GuestOfName> {
    const search = wordsOf(email ?? name ?? '')
    const client = clientOf(this.#bus, guests)
    return allPages((page) => client.list({ ...this.#where, query: { ...page, search } }))
  }

  checkIns(query: CheckInQuery): Promise<StoredCheckIn[]> {
    return retried(() => clientOf(this.#bus, checkIns).list({ ...this.#where, query }))
  }

  createCheckIns(given: readonly NewCheckIn[]): Promise<CreatedCheckIn[]> {
    return retried(() => clientOf(this.#bus, checkIns).batch_create({ ...this.#where, body: [...given] }))
  }

  async discountCodes(): Promise<string[]> {
    const client = clientOf(this.#bus, promoCodes)
    const texts: string[] = []
    for await (const { text } of allPages((page) => client.list({ ...this.#where, query: page }))) texts.push(text)
    return texts
  }

  async createDiscountCode(code: DiscountCode): Promise<FieldErrors | undefined> {
    // A retry finds the code that its first try created.
    const call = { ...this.#where, idempotency_key: `${this.event} ${foldReference(code.text)}` }
    try {
      await retried(() => clientOf(this.#bus, promoCodes).create({ ...call, body: code as CodeBody }))
      return undefined
    } catch (error) {
      if (error instanceof Fault && error.code === 'invalid' && error.errors) return error.errors
      throw error
    }
  }

  /** Creates something, however often it is tried. */
  #once<T>(create: (call: { caller: Caller; params: { event_id: string }; idempotency_key: string }) => Promise<T>) {
    const call = { ...this.#where, idempotency_key: crypto.randomUUID() }
    return retried(() => create(call))
  }
}

/** Words to search for, without what a search reads as a form of its own. */
function wordsOf(text: string): string {
  return text.replaceAll(/[:",]/g, ' ').slice(0, 500)
}

/** The services fill in the rest. */
type PointBody = Static<typeof accesspoints.actions.create.body>
type CategoryBody = Static<typeof guestCategories.actions.create.body>
type FieldBody = Static<typeof guestFields.actions.batch_create.body>[number]
type CodeBody = Static<typeof promoCodes.actions.create.body>
