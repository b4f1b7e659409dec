import { foldReference } from '@gatehouse/proto/formats/lists/values.ts'
import { type Point, Points } from '../check-ins/points.ts'
import type { Missing } from '../row-import.ts'
import type { EventSystem, NamedThing } from '../system.ts'

export const CATEGORY = 'guest category'
export const FIELD = 'guest field'
export const POINT = 'check-in point'
/** The check-in point that an event without one gets. */
const ENTRANCE = 'Entrance'

/** What tickets of another system need of an event: categories, fields for answers, and a check-in point. */
export class TicketEvent {
  readonly #system: EventSystem
  readonly #wanted: string | undefined
  #points: Points
  /** The keys of guest fields, by folded key and label. */
  #keys = new Map<string, string>()
  categories: NamedThing[] = []
  /** How many categories were created that may enter nowhere, since nothing said where. */
  withoutRights = 0

  private constructor(system: EventSystem, points: Points, wanted: string | undefined) {
    this.#system = system
    this.#points = points
    this.#wanted = wanted
  }

  /** `point` is the check-in point of the tickets, by name or id. Throws one sentence if there is none. */
  static async open(system: EventSystem, point: string | undefined): Promise<TicketEvent> {
    const points = new Points(await system.points())
    if (point !== undefined) points.chosen(point)
    return new TicketEvent(system, points, point)
  }

  /** Reads what the event has now. */
  async read(): Promise<void> {
    const [points, categories, fields] = await Promise.all([
      this.#system.points(),
      this.#system.categories(),
      this.#system.guestFields(),
      this.#system.refresh(),
    ])
    this.#points = new Points(points)
    this.categories = categories
    this.#keys = new Map(
      fields.flatMap(({ key, label }) => [label ?? key, key].map((name) => [foldReference(name), key] as const)),
    )
  }

  /** Where tickets let in: the chosen point, or the only one at which guests come in. */
  get point(): Point | undefined {
    return this.#wanted === undefined ? this.#points.only : this.#points.chosen(this.#wanted)
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
    for (const name of namesOf(POINT)) await this.#system.createPoint(name)
    await this.read()
    const { point } = this
    if (!point) this.withoutRights += namesOf(CATEGORY).length
    for (const name of namesOf(CATEGORY)) await this.#system.createCategory(name, point?._id)
    const keys = namesOf(FIELD)
    if (keys.length > 0) await this.#system.createGuestFields(keys)
  }
}
