import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import { foldReference } from '@gatehouse/proto/formats/lists/values.ts'
import type { Static } from 'typebox'
import type { Missing } from '../import/row-import.ts'
import { pointsOf } from '../import-check-ins/import.ts'
import type { Point, Points } from '../import-check-ins/points.ts'
import { accesspoints, guestCategories, guestFields } from '../permissions.ts'
import { retried } from '../retry.ts'

export const CATEGORY = 'guest category'
export const FIELD = 'guest field'
export const POINT = 'check-in point'
/** The check-in point that an event without one gets. */
const ENTRANCE = 'Entrance'

/** What tickets of another system need of an event: categories, fields for answers, and a check-in point. */
export class TicketEvent {
  readonly #bus: Bus
  readonly #where: { caller: Caller; params: { event_id: string } }
  readonly #wanted: string | undefined
  #points: Points
  /** The keys of guest fields, by folded key and label. */
  #keys = new Map<string, string>()
  categories: { _id: string; name: string }[] = []
  /** How many categories were created that may enter nowhere, since nothing said where. */
  withoutRights = 0

  private constructor(bus: Bus, caller: Caller, event_id: string, points: Points, wanted: string | undefined) {
    this.#bus = bus
    this.#where = { caller, params: { event_id } }
    this.#points = points
    this.#wanted = wanted
  }

  /** `point` is the check-in point of the tickets, by name or id. Throws one sentence if there is none. */
  static async open(bus: Bus, caller: Caller, event: string, point: string | undefined): Promise<TicketEvent> {
    const points = await pointsOf(bus, caller, event)
    if (point !== undefined) points.chosen(point)
    return new TicketEvent(bus, caller, event, points, point)
  }

  get id(): string {
    return this.#where.params.event_id
  }

  /** Reads what the event has now. */
  async read(): Promise<void> {
    const [points, categories, fields] = await Promise.all([
      pointsOf(this.#bus, this.#where.caller, this.#where.params.event_id),
      retried(() => clientOf(this.#bus, guestCategories).list(this.#where)),
      retried(() => clientOf(this.#bus, guestFields).list(this.#where)),
    ])
    this.#points = points
    this.categories = categories
    this.#keys = new Map(
      fields.flatMap(({ key, label }) => [label ?? key, key].map((name) => [foldReference(name), key] as const)),
    )
  }

  /** Where tickets let in: the chosen point, or the only one at which guests come in. */
  get point(): Point | undefined {
    return this.#wanted === undefined ? this.#points.only : this.#points.named(this.#wanted)
  }

  /** The check-in point to make first. */
  get missingPoint(): Missing[] {
    return this.#points.all.length === 0 ? [{ kind: POINT, name: ENTRANCE }] : []
  }

  /** Whether the event has check-in points, but nothing says which one is meant. */
  get isPointUnclear(): boolean {
    return this.#points.all.length > 0 && this.point === undefined
  }

  /** The key of the guest field for answers to a question; undefined if there is none yet. */
  keyOf(question: string): string | undefined {
    return this.#keys.get(foldReference(question))
  }

  /** Creates what is missing: first the check-in point, which new categories may enter once. */
  async create(missing: readonly Missing[]): Promise<void> {
    const namesOf = (kind: string) => missing.filter((each) => each.kind === kind).map(({ name }) => name)
    for (const name of namesOf(POINT)) {
      await this.#once((call) => clientOf(this.#bus, accesspoints).create({ ...call, body: { name } as PointBody }))
    }
    await this.read()
    const { point } = this
    const links = point ? [{ accesspoint_id: point._id, max_allowed_accesses: 1 }] : []
    if (!point) this.withoutRights += namesOf(CATEGORY).length
    for (const name of namesOf(CATEGORY)) {
      const body = { name, guest_category_accesspoints: links } as CategoryBody
      await this.#once((call) => clientOf(this.#bus, guestCategories).create({ ...call, body }))
    }
    const fields = namesOf(FIELD).map((key) => ({ key, type: 'text' }) as FieldBody)
    // A field that another import has just created is refused.
    if (fields.length > 0)
      await this.#once((call) => clientOf(this.#bus, guestFields).batch_create({ ...call, body: fields }))
  }

  /** Creates something, however often it is tried. */
  #once<T>(create: (call: { caller: Caller; params: { event_id: string }; idempotency_key: string }) => Promise<T>) {
    const call = { ...this.#where, idempotency_key: crypto.randomUUID() }
    return retried(() => create(call))
  }
}

/** The services fill in the rest. */
type PointBody = Static<typeof accesspoints.actions.create.body>
type CategoryBody = Static<typeof guestCategories.actions.create.body>
type FieldBody = Static<typeof guestFields.actions.batch_create.body>[number]
