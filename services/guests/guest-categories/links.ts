import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import { type FieldErrors, unavailable } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { accesspoints, links } from '../permissions.ts'
import type { GuestCategory } from './resource.ts'
import type { GuestCategoryStore, LinkTerms, StoredCategory } from './store.ts'

/** How often a category is read whose links are being written, and the time in between. */
const TRIES = 60
const RETRY_MS = 50
/** No write takes longer. */
const GRACE_MS = 15_000

type LinkList = GuestCategory['guest_category_accesspoints']

/**
 * The links of categories, which the checkin service stores. A category is stored together with its new links, as due; then the links are
 * written to checkin, and noted as done. So a change is complete or not visible, whatever is interrupted: a category is not shown while links
 * are due, and a request that finds them left behind writes them first.
 */
export class CategoryLinks {
  readonly #store: GuestCategoryStore
  readonly #links: Client<typeof links>
  readonly #accesspoints: Client<typeof accesspoints>

  constructor(store: GuestCategoryStore, bus: Bus) {
    this.#store = store
    this.#links = clientOf(bus, links)
    this.#accesspoints = clientOf(bus, accesspoints)
  }

  /** The errors of links: each check-in point must be of the event, and in only one link. */
  async errorsOf(event_id: string, given: LinkTerms[] = []): Promise<FieldErrors> {
    if (given.length === 0) return {}
    const ids = given.map(({ accesspoint_id }) => accesspoint_id)
    const known = new Set((await this.#accesspoints.known({ body: { event_id, ids: [...new Set(ids)] } })).ids)
    const problems = ids.flatMap((id, index) => {
      const problem = known.has(id)
        ? ids.indexOf(id) < index && 'is already linked to this guest category'
        : messageOf('unknown_reference', { thing: 'a check-in point', owner: 'event' })
      return problem ? [[`guest_category_accesspoints.${index}.accesspoint_id`, [problem]]] : []
    })
    return Object.fromEntries(problems)
  }

  /** Writes the due links of a category; afterwards the door knows them. */
  async settle(category: StoredCategory): Promise<LinkList> {
    const { event_id, _id, links_due } = category
    if (!links_due) return this.of(event_id, [_id])
    const body = { event_id, guest_category_id: _id, links: links_due.links }
    const settled = await this.#links.replace({ body })
    await this.#store.markLinked(category)
    return settled
  }

  /** The links of some categories, or of all of an event. */
  async of(event_id: string, guest_category_ids?: string[]): Promise<LinkList> {
    return this.#links.of_categories({ body: { event_id, ...(guest_category_ids && { guest_category_ids }) } })
  }

  /**
   * A category without due links; null if there is none. Throws `unavailable` if that takes too long. It waits for links that another
   * process may still be writing: written twice, they might replace those of the next change. But it writes links that equal `wanted`, since
   * then a request is retried that was not answered.
   */
  async settled(event_id: string, _id: string, wanted?: LinkTerms[]): Promise<StoredCategory | null> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const category = await this.#store.get(event_id, _id)
      if (!category?.links_due) return category
      const { since, links } = category.links_due
      const isAbandoned = Date.now() - since.getTime() > GRACE_MS
      if (isAbandoned || isDeepStrictEqual(links, wanted)) await this.settle(category)
      else await setTimeout(RETRY_MS)
    }
    throw unavailable()
  }

  /** Changes a category and its links together; as {@link settled}. */
  async update(
    event_id: string,
    _id: string,
    changes: Partial<StoredCategory>,
    links: LinkTerms[],
  ): Promise<StoredCategory | null> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const category = await this.#store.updateLinked({ event_id, _id }, changes, links)
      if (category) {
        await this.settle(category)
        return category
      }
      if (!(await this.settled(event_id, _id, links))) return null
    }
    throw unavailable()
  }
}
