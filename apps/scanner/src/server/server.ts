import { type Client, connect } from '../../../../clients/typescript/client.ts'
import type { Send } from '../../../../clients/typescript/retrying.ts'
import { whileItComes } from '../../../shared/src/server/progress.ts'
import type { NamedGuest } from '../kiosk/lookup.ts'
import type { Explanation, FieldValue, GuestDetails, Status, StoredScan, WalkIn } from '../scanning/scan.ts'
import { walkInBody } from '../scanning/walk-in.ts'
import type { SelfTestResult } from '../self-test/result.ts'
import { type StoredSignature, signatureBody } from '../signing/signature.ts'
import { batteryLevel } from './battery.ts'
import { type Problem, problemOfFields } from './problems.ts'
import { ScanTimes } from './scan-times.ts'

// The build puts it in: a hash of the app's sources.
declare const __VERSION__: string

/** How long a request may take, with its retries. */
const DEADLINE_MS = 15_000
/** How long a guest list may take that comes on, however slowly: 3 MB at 40 kbit/s. */
const SNAPSHOT_MS = 600_000
/** The answer of the server to a token that was revoked. */
const REVOKED = 401

/** How long the guest fields that devices show are not asked for again. */
const FIELDS_MS = 60_000

/** A guest as far as a steward needs to know. */
export interface FoundGuest extends GuestDetails {
  uid: string
  name: string
  category: string | null
  company: string | null
  position: string | null
  /** When the guest was first let in; undefined where the server does not say. */
  checked_in_at?: string | null | undefined
}

type Metadata = readonly { name: string; value: string | null }[]

/** A check-in point. */
export interface Point {
  _id: string
  name: string
}

/** How full an area is, in persons. */
export interface AreaUse {
  name: string
  inside_count: number
  capacity: number | null
}

/** Whether as many are inside an area as its capacity is, or more. */
export function isFull(area: AreaUse | undefined): boolean {
  return area !== undefined && area.capacity !== null && area.inside_count >= area.capacity
}

/** A check-in as the server lists it. */
export interface ListedCheckIn {
  accesspoint_id: string
  guest_uid: string
  access_status: number
  access_stamp: string
}

/** What the server has recorded of a scan. */
export interface RecordedCheckIn extends Explanation {
  check_in_id?: string
  /** How many came in or out, or were to. */
  moved?: number | undefined
  direction?: 'out' | undefined
  area_full?: boolean | undefined
  guest_uid: string
  access_status: Status
}

/** What the server says to a scan: what it has recorded, or why it has not. */
export type CheckInResult = RecordedCheckIn | { problem: Problem }

/** The server, as this device asks it. */
export class ServerClient {
  /** How long scans take. */
  readonly times = new ScanTimes()
  readonly #client: Client
  /** For what is large. */
  readonly #patient: Client
  readonly #path: { event_id: string }
  #categories: Promise<Map<string, string>> | undefined
  #fields: { askedAt: number; labels: Promise<Map<string, string>> } | undefined

  constructor(url: string, token: string, event_id: string, onRevoked: () => void) {
    const ask: Send = async (request, init) => {
      const answer = await this.times.measuring(request, () => fetch(request, init))
      if (answer.status === REVOKED) onRevoked()
      return answer
    }
    this.#client = connect({ url, token, deadlineMs: DEADLINE_MS, fetch: ask })
    this.#patient = connect({ url, token, deadlineMs: SNAPSHOT_MS, fetch: whileItComes(ask, DEADLINE_MS) })
    this.#path = { event_id }
  }

  /** Asks for one scan. The same scan may be asked for as often as needed. */
  async checkIn(scan: StoredScan): Promise<RecordedCheckIn> {
    const { data } = await this.#client.POST('/api/v1/events/{event_id}/access_controls.json', {
      params: { path: this.#path, header: { 'Idempotency-Key': scan.key } },
      body: bodyOf(scan),
    })
    return recordedOf(data)
  }

  /** Adds a guest at the door and checks the guest in. The same walk-in may be sent as often as needed. */
  async addWalkIn(scan: StoredScan, walkIn: WalkIn): Promise<RecordedCheckIn> {
    const { data } = await this.#client.POST('/api/v1/events/{event_id}/walk_ins.json', {
      params: { path: this.#path },
      body: walkInBody(scan, walkIn),
    })
    return recordedOf(data.access_control)
  }

  /** Sends scans in their order. Each may be sent as often as needed. */
  async checkInAll(scans: readonly StoredScan[]): Promise<CheckInResult[]> {
    const { data } = await this.#client.POST('/api/v1/events/{event_id}/access_controls/batch_create.json', {
      params: { path: this.#path },
      body: scans.map(bodyOf),
    })
    return data.map((item) => ('errors' in item ? { problem: problemOfFields(item.errors) } : recordedOf(item)))
  }

  /** Deletes a check-in that this device has made. Throws if the server refuses. */
  async deleteCheckIn(id: string): Promise<void> {
    await this.#client.DELETE('/api/v1/events/{event_id}/access_controls/{id}.json', {
      params: { path: { ...this.#path, id } },
    })
  }

  /** Sends signatures in their order. Each may be sent as often as needed. Returns why the server does not take it of each, null if it does. */
  async signAll(signatures: readonly StoredSignature[]): Promise<(string | null)[]> {
    const { data } = await this.#client.POST('/api/v1/events/{event_id}/signatures/batch_create.json', {
      params: { path: this.#path },
      body: signatures.map(signatureBody),
    })
    return data.map((item) => ('errors' in item ? problemOfFields(item.errors) : null))
  }

  /** What a ciphered code says. */
  async decipher(content: string): Promise<string> {
    const { data } = await this.#client.GET('/api/v1/events/{event_id}/deciphered_qr_code.json', {
      params: { path: this.#path, query: { content } },
    })
    return data.content ?? ''
  }

  /** The key of ciphered codes, in base 64, if this device may have it. */
  async codeKey(): Promise<{ key: string; iv: string } | undefined> {
    const { data } = await this.#client.GET('/api/v1/events/{event_id}/qr_code_key.json', {
      params: { path: this.#path },
    })
    const { qr_code_ciphering_key: key, qr_code_ciphering_iv: iv } = data
    return key !== null && iv !== null ? { key, iv } : undefined
  }

  /** What a device may know of the event, or what is new in it since a cursor, as `@gatehouse/door` reads it. */
  async snapshot(since: string | undefined, signal: AbortSignal): Promise<string> {
    const { data } = await this.#patient.GET('/api/v1/events/{event_id}/snapshot.json', {
      params: { path: this.#path, query: since === undefined ? {} : { since } },
      parseAs: 'text',
      signal,
    })
    return data
  }

  /** The guest with a uid, if there is one. */
  async guest(uid: string): Promise<FoundGuest | undefined> {
    // Without them the rest is shown.
    const labels = await this.#fieldLabels().catch(() => new Map<string, string>())
    const [guest] = await this.#guests({ uid, per_page: 1, ...(labels.size > 0 && { guest_metadata: true }) })
    return guest && { ...guest, fields: valuesOf(labels, guest.guest_metadata) }
  }

  /** The first guests whose names begin with these words. */
  search(words: string, per_page: number): Promise<FoundGuest[]> {
    return this.#guests({ search: words, per_page })
  }

  /** Guests in whose fields words begin with these, as far as it takes to know which one is meant. */
  async guestsWith(words: string, per_page: number): Promise<NamedGuest[]> {
    const { data } = await this.#client.GET('/api/v1/events/{event_id}/guests.json', {
      params: { path: this.#path, query: { search: words, per_page } },
    })
    return data.map(({ uid, last_name, email }) => ({ uid, last_name, email }))
  }

  /** Says how the device is and how its test of itself ended, if that is new, and gets what the organizer has made of it since. */
  async heartbeat(queue_length: number, self_test?: SelfTestResult) {
    const report = { queue_length, battery_level: await batteryLevel(), app_version: __VERSION__ }
    const { data } = await this.#client.PUT('/api/v1/devices/heartbeat.json', {
      body: { ...report, ...(self_test && { self_test }) },
    })
    return data
  }

  /** Reports how long scans took. */
  reportTimes(): Promise<void> {
    return this.times.report((body) =>
      this.#client.PUT('/api/v1/events/{event_id}/scan_times.json', { params: { path: this.#path }, body }),
    )
  }

  /** The check-in points at which this device may scan. */
  async points(): Promise<Point[]> {
    const { data } = await this.#client.GET('/api/v1/events/{event_id}/accesspoints.json', {
      params: { path: this.#path },
    })
    return data.map(({ _id, name }) => ({ _id, name }))
  }

  /** How many persons are inside an area, and for how many there is room. */
  async area(id: string): Promise<AreaUse> {
    const { data } = await this.#client.GET('/api/v1/events/{event_id}/areas/{id}.json', {
      params: { path: { ...this.#path, id } },
    })
    const { name, inside_count, capacity } = data
    return { name, inside_count, capacity }
  }

  /** A page of the check-ins that this device may see, highest stamp first. */
  async checkIns(page: number): Promise<ListedCheckIn[]> {
    const { data } = await this.#client.GET('/api/v1/events/{event_id}/access_controls.json', {
      params: { path: this.#path, query: { page } },
    })
    return data
  }

  /** When and where a guest was last let in, as far as this device may see. */
  async lastEntry(guest_uid: string): Promise<ListedCheckIn | undefined> {
    const { data } = await this.#client.GET('/api/v1/events/{event_id}/access_controls.json', {
      params: { path: this.#path, query: { guest_uid } },
    })
    return data.find(({ access_status }) => access_status === 0)
  }

  /** The name of the event. */
  async eventTitle(): Promise<string> {
    const { data } = await this.#client.GET('/api/v1/events/{event_id}.json', { params: { path: this.#path } })
    return data.title
  }

  async #guests(query: { uid?: string; search?: string; per_page: number; guest_metadata?: boolean }) {
    const [{ data }, categories] = await Promise.all([
      this.#client.GET('/api/v1/events/{event_id}/guests.json', { params: { path: this.#path, query } }),
      this.#categoryNames(),
    ])
    return data.map((guest) => {
      const { uid, first_name, last_name, guest_category_id, company_name, position, message, guest_metadata } = guest
      const { party_size, checked_in_at } = guest as Partial<FoundGuest>
      return {
        uid,
        first_name,
        name: [first_name, last_name].filter(Boolean).join(' '),
        category: categories.get(guest_category_id) ?? null,
        company: company_name,
        position,
        guest_metadata,
        message,
        party_size,
        checked_in_at,
      }
    })
  }

  /** The labels of the guest fields that devices show, by key, in their order. */
  #fieldLabels(): Promise<Map<string, string>> {
    const now = performance.now()
    if (this.#fields && now - this.#fields.askedAt < FIELDS_MS) return this.#fields.labels
    const labels = this.#client
      .GET('/api/v1/events/{event_id}/guest_fields.json', { params: { path: this.#path } })
      .then(({ data }) => {
        const shown = data.filter(({ on_device }) => on_device)
        return new Map(shown.map(({ key, label }) => [key, label ?? key]))
      })
    this.#fields = { askedAt: now, labels }
    labels.catch(() => {
      if (this.#fields?.labels === labels) this.#fields = undefined
    })
    return labels
  }

  /** The names of the categories, asked for once. */
  #categoryNames(): Promise<Map<string, string>> {
    this.#categories ??= this.#client
      .GET('/api/v1/events/{event_id}/guest_categories.json', { params: { path: this.#path } })
      .then(
        ({ data }) => new Map(data.map(({ _id, name }) => [_id, name])),
        (error: unknown) => {
          this.#categories = undefined
          throw error
        },
      )
    return this.#categories
  }
}

/** The values that a guest has of the fields with these labels; several of one field are one. */
function valuesOf(labels: ReadonlyMap<string, string>, metadata: Metadata = []): FieldValue[] {
  return [...labels].flatMap(([key, label]) => {
    const values = metadata.flatMap(({ name, value }) => (name === key && value ? [value] : []))
    return values.length > 0 ? [{ label, value: values.join(', ') }] : []
  })
}

/** What an answer records, with the explanations that this server gives. */
function recordedOf(
  checkIn: {
    _id: string
    guest_uid: string
    access_status: number
    persons: number
    direction?: string
    area_full?: boolean
  } & Explanation,
): RecordedCheckIn {
  const { _id, guest_uid, access_status, persons, area_full, reason, granted_before, opens_at, persons_left } = checkIn
  const explanation = { reason, granted_before, opens_at, persons_left }
  const direction = checkIn.direction === 'out' ? ('out' as const) : undefined
  const moved = { moved: persons, direction, area_full }
  return { check_in_id: _id, ...moved, guest_uid, access_status: access_status as Status, ...explanation }
}

function bodyOf({ accesspoint_id, guest_uid, access_stamp, decided_offline, persons }: StoredScan) {
  return {
    accesspoint_id,
    guest_uid: guest_uid ?? '',
    access_stamp,
    ...(persons !== undefined && { persons }),
    ...(decided_offline !== null && { decided_offline }),
  }
}
