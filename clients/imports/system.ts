import type { FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import type { GuestRights, Point } from './check-ins/points.ts'

/** Something of an event by name. */
export interface NamedThing {
  _id: string
  name: string
}

/** A guest field of an event. */
export interface GuestField {
  key: string
  label?: string | null | undefined
}

/** A guest to create. */
export interface GuestBody {
  guest_category_id: string
  uid?: string | null
  [field: string]: unknown
}

/** A guest to create, with what tells it from others: the same for the same ticket, however often it is sent. */
export interface NewGuest {
  _id: string
  body: GuestBody
  /** Characters of its body as JSON. */
  size: number
}

/** What became of a guest to create: an earlier try, or another import, may have stored it. */
export type CreatedGuest = { created: boolean } | { errors: FieldErrors }

/** What became of some guests, in their order, and how often they were sent: a try without an answer may have stored them. */
export interface CreatedGuests<G extends NewGuest> {
  guests: G[]
  answers: CreatedGuest[]
  tries: number
}

/** A guest as the door knows it. */
export interface FoundGuest extends GuestRights {
  uid: string
}

/** A guest who may be the one that a row is about. */
export interface GuestOfName extends FoundGuest {
  first_name?: string | null | undefined
  last_name?: string | null | undefined
  email?: string | null | undefined
}

/** Who a row says it is, if it has no code. */
export interface Person {
  email?: string | undefined
  /** First and last name in any order. */
  name?: string | undefined
}

/** Which stored check-ins are meant. */
export interface CheckInQuery {
  guest_uid?: string
  accesspoint_id?: string
  since: Date
  before: Date
  page: number
  per_page: number
}

/** A check-in that is stored. */
export interface StoredCheckIn {
  guest_uid: string
  accesspoint_id: string
  access_stamp: Date
}

/** A check-in to store with the time at which it happened. */
export interface NewCheckIn extends StoredCheckIn {
  persons?: number
  /** The outcome elsewhere. */
  decided_offline: 0
}

/** What became of a check-in. */
export type CreatedCheckIn = { access_status: number; reason?: string | null | undefined } | { errors: FieldErrors }

/** A discount code to create. */
export interface DiscountCode {
  text: string
  label: string | null
  amount: number
  percentage_of_total: boolean
  max_usage: number
  end_date: Date | null
  timezone: string
}

/** What is imported, as the audit log names it. */
export type ImportedKind = 'guests' | 'check-ins' | 'discount codes'

/**
 * An event into which files are imported, and how it is asked: by the command line over the bus, by the console over HTTP. Each request is patient where
 * the system does not answer at once.
 */
export interface EventSystem {
  readonly event: string
  /** Records that an import begins. */
  record(kind: ImportedKind): Promise<void>
  /** The time zone of the event, by a name that Intl knows. */
  zone(): Promise<string>
  points(): Promise<Point[]>
  categories(): Promise<NamedThing[]>
  guestFields(): Promise<GuestField[]>
  createPoint(name: string): Promise<void>
  /** `point` may be entered once. */
  createCategory(name: string, point: string | undefined): Promise<void>
  createGuestFields(keys: readonly string[]): Promise<void>
  /** A 24-hex id that is the same for the same parts. */
  idOf(...parts: string[]): string
  /** What is wrong with a guest, as far as that can be told before it is sent. */
  guestErrors(body: object): FieldErrors
  /** Reads again what is kept of guests. */
  refresh(): Promise<void>
  /** Which of these guests are there: the ids and codes among those of the event. */
  known(guests: readonly KnownGuest[], codes: readonly string[]): Promise<{ ids: Set<string>; codes: Set<string> }>
  /** Creates guests until `stop` is aborted; those who are there stay as they are. */
  createGuests<G extends NewGuest>(guests: readonly G[], stop: AbortSignal): AsyncGenerator<CreatedGuests<G>>
  /** The code of a guest who was created under an id. */
  codeOf(_id: string): Promise<string | undefined>
  /** The guests with these codes; unknown codes are missing. */
  guestsWithCodes(codes: readonly string[]): Promise<FoundGuest[]>
  /** Guests who may be a person, with others. */
  guestsLike(person: Person): AsyncIterable<GuestOfName>
  checkIns(query: CheckInQuery): Promise<StoredCheckIn[]>
  createCheckIns(checkIns: readonly NewCheckIn[]): Promise<CreatedCheckIn[]>
  /** The texts of the event's discount codes. */
  discountCodes(): Promise<string[]>
  /** Creates a discount code once. Returns what is wrong with it, if anything is. */
  createDiscountCode(code: DiscountCode): Promise<FieldErrors | undefined>
}

/** What a ticket says of its guest, where only that tells whether the guest is there. */
export interface KnownGuest {
  _id: string
  /** Undefined if the file has none. */
  code: string | undefined
  fields: Readonly<Record<string, string | number>>
}
