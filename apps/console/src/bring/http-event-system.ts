import type { Point } from '@gatehouse/imports/check-ins/points.ts'
import type {
  CheckInQuery,
  CreatedCheckIn,
  CreatedGuest,
  CreatedGuests,
  DiscountCode,
  EventSystem,
  FoundGuest,
  GuestField,
  GuestOfName,
  KnownGuest,
  NamedThing,
  NewCheckIn,
  NewGuest,
  Person,
  StoredCheckIn,
} from '@gatehouse/imports/system.ts'
import { conflict, type FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { messagesOf } from '../form/error-words.ts'
import { pagesOf } from '../guests/table/selection.ts'
import { patiently } from '../server/patience.ts'
import {
  asRefusal,
  type GatehouseError,
  type Item,
  newKey,
  post,
  read,
  refusalOf,
  type Tries,
} from '../server/server.ts'
import { knownZone } from '../texts/times.ts'
import { GuestIndex } from './guest-index.ts'

const EVENT = '/api/v1/events/{event_id}'
/** Guests of one request, after which their check-ins are sent. */
const BATCH = 100
const PAGE = 500

/** An event that the console asks over HTTP, as whoever is signed in. Without an id it is a new one, in which there is nothing yet. */
export class HttpEventSystem implements EventSystem {
  readonly event: string
  readonly #signal: AbortSignal
  readonly #zone: string
  readonly #onReading: (count: number) => void
  #guests: Promise<GuestIndex> | undefined

  /** `zone` is that of a new event. `onReading` hears how many guests were read. */
  constructor(event: string, signal: AbortSignal, zone: string, onReading: (count: number) => void = () => undefined) {
    this.event = event
    this.#signal = signal
    this.#zone = zone
    this.#onReading = onReading
  }

  /** The audit log has what the requests do. */
  async record(): Promise<void> {}

  async zone(): Promise<string> {
    if (this.event === '') return this.#zone
    const { timezone } = await this.#ask<Item>('.json')
    const zone = knownZone(String(timezone))
    // Times in another zone would be wrong by hours, and nobody would notice.
    if (zone === undefined) throw conflict(messageOf('invalid_time_zone'))
    return zone
  }

  points(): Promise<Point[]> {
    return this.#list('/accesspoints.json')
  }

  categories(): Promise<NamedThing[]> {
    return this.#list('/guest_categories.json')
  }

  guestFields(): Promise<GuestField[]> {
    return this.#list('/guest_fields.json')
  }

  async createPoint(name: string): Promise<void> {
    await this.#create('/accesspoints.json', { name })
  }

  async createCategory(name: string, point: string | undefined): Promise<void> {
    const links = point === undefined ? [] : [{ accesspoint_id: point, max_allowed_accesses: 1 }]
    await this.#create('/guest_categories.json', { name, guest_category_accesspoints: links })
  }

  async createGuestFields(keys: readonly string[]): Promise<void> {
    // A field that another import has just created is refused.
    await this.#create('/guest_fields/batch_create.json', { guest_fields: keys.map((key) => ({ key, type: 'text' })) })
  }

  idOf(...parts: string[]): string {
    return bytesToHex(sha256(new TextEncoder().encode(JSON.stringify(parts)))).slice(0, 24)
  }

  /** The server says it when the guest is sent. */
  guestErrors(): FieldErrors {
    return {}
  }

  async refresh(): Promise<void> {
    const guests = await this.#index()
    guests.begin()
  }

  async known(given: readonly KnownGuest[], codes: readonly string[]) {
    return (await this.#index()).known(given, codes)
  }

  async *createGuests<G extends NewGuest>(given: readonly G[], stop: AbortSignal): AsyncGenerator<CreatedGuests<G>> {
    for (let at = 0; at < given.length && !stop.aborted; at += BATCH) {
      const guests = given.slice(at, at + BATCH)
      const tries = { count: 0 }
      const answers = await this.#createBatch(guests, tries, stop).catch((problem) => {
        if (!stop.aborted) throw problem
      })
      if (answers) yield { guests, answers, tries: tries.count }
    }
  }

  async codeOf(_id: string): Promise<string | undefined> {
    return (await this.#index()).codeOf(_id)
  }

  async guestsWithCodes(codes: readonly string[]): Promise<FoundGuest[]> {
    return (await this.#index()).withCodes(codes)
  }

  async *guestsLike(person: Person): AsyncGenerator<GuestOfName> {
    yield* (await this.#index()).like(person)
  }

  async checkIns({ since, before, ...query }: CheckInQuery): Promise<StoredCheckIn[]> {
    const times = { since: since.toISOString(), before: before.toISOString() }
    const found = await this.#list<Item>('/access_controls.json', { ...query, ...times })
    return found.map(({ guest_uid, accesspoint_id, access_stamp }) => ({
      guest_uid: String(guest_uid),
      accesspoint_id: String(accesspoint_id),
      access_stamp: new Date(String(access_stamp)),
    }))
  }

  async createCheckIns(given: readonly NewCheckIn[]): Promise<CreatedCheckIn[]> {
    const answers = await this.#createAll('/access_controls/batch_create.json', { access_controls: given })
    return answers.map((answer) => {
      const refusal = refusalOf(answer)
      return refusal
        ? { errors: messagesOf(refusal) }
        : (answer as unknown as Exclude<CreatedCheckIn, { errors: unknown }>)
    })
  }

  async discountCodes(): Promise<string[]> {
    const texts: string[] = []
    for (let page = 1; ; page++) {
      const found = await this.#list<Item>('/promo_codes.json', { page, per_page: PAGE })
      texts.push(...found.map(({ text }) => String(text)))
      if (found.length < PAGE) return texts
    }
  }

  async createDiscountCode(code: DiscountCode): Promise<FieldErrors | undefined> {
    try {
      await this.#create('/promo_codes.json', code)
      return undefined
    } catch (problem) {
      return errorsOfItem(asRefusal(problem))
    }
  }

  /** Creates guests; those who are there under their key stay as they are. */
  async #createBatch(given: readonly NewGuest[], tries: Tries, stop: AbortSignal): Promise<CreatedGuest[]> {
    const items = given.map(({ _id, body }) => ({ status: 'imported', ...body, idempotency_key: _id }))
    const answers = await this.#createAll('/guests/batch_create.json', { guests: items }, stop, tries)
    const guests = await this.#index()
    return answers.map((answer, index) => {
      const refusal = refusalOf(answer)
      if (!refusal) {
        guests.addCreated(given[index]?._id ?? '', answer)
        return { created: answer.created === true }
      }
      const errors = messagesOf(refusal)
      // Another import has just created the guest.
      return errors.uid?.some(({ code }) => code === 'taken') ? { created: false } : { errors }
    })
  }

  /** All guests of the event, which are read once. */
  #index(): Promise<GuestIndex> {
    this.#guests ??= this.#readGuests()
    return this.#guests
  }

  async #readGuests(): Promise<GuestIndex> {
    const guests = new GuestIndex()
    if (this.event === '') return guests
    let count = 0
    // By creation: who comes meanwhile moves nobody to another page.
    for await (const page of pagesOf({ event_id: this.event }, { sort: 'created_at' }, this.#signal)) {
      for (const guest of page) guests.addStored(guest)
      count += page.length
      this.#onReading(count)
    }
    return guests
  }

  async #list<T>(path: string, query: object = {}): Promise<T[]> {
    return this.event === '' ? [] : this.#ask<T[]>(path, query)
  }

  #ask<T>(path: string, query: object = {}): Promise<T> {
    const params = { event_id: this.event }
    return patiently(() => read<T>(EVENT + path, params, query, this.#signal), this.#signal)
  }

  /** Creates several things. Returns each or its errors. */
  async #createAll(path: string, body: object, signal?: AbortSignal, tries?: Tries): Promise<Item[]> {
    return (await this.#create(path, body, signal, tries)) as unknown as Item[]
  }

  #create(path: string, body: object, signal = this.#signal, tries?: Tries): Promise<Item> {
    const key = newKey()
    return patiently(() => post(EVENT + path, { event_id: this.event }, body, key, tries), signal)
  }
}

/** The errors of a refusal that is about what was sent. Throws any other one: the way or the session is to blame. */
function errorsOfItem(refusal: GatehouseError): FieldErrors {
  const errors = messagesOf(refusal)
  if (refusal.status !== 422 || Object.keys(errors).length === 0) throw refusal
  return errors
}
