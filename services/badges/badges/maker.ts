import { createHash } from 'node:crypto'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { BadgeTemplateStore, StoredTemplate } from '../badge-templates/store.ts'
import type { Guests, Printed } from '../guests.ts'
import type { Owner } from '../owners.ts'
import { badgeOrders } from '../permissions.ts'
import { contentOf } from '../qr-codes/content.ts'
import type { BadgeContent } from './page.ts'
import type { BadgeStore, MadeBadge } from './store.ts'
import type { TemplateContent } from './template-page.ts'

/** Fonts and PDF are loaded for the first badge: they would take a third of the start of the process. */
const drawing = async () => ({ ...(await import('./page.ts')), ...(await import('./template-page.ts')) })

interface MakerOptions {
  bus: Bus
  store: BadgeStore
  templates: BadgeTemplateStore
  guests: Guests
}

/** The result of making badges together. */
export interface MakingResult {
  /** How many were drawn. The others were stored already or are no longer ordered. */
  drawn: number
  /** Elapsed time less processor time of drawing, in ms: waiting for processor and database. */
  waitingMs: number
  /** The errors of badges that could not be drawn, by guest id. */
  failed: Map<string, unknown>
}

/** An ordered badge. */
interface WantedBadge {
  guest: Printed
  content: BadgeContent | TemplateContent
  version: string
  /** Whether it is stored already. */
  stored: boolean
  /** Whether its completion was published, too. */
  told: boolean
}

/**
 * Makes ordered badges, those of one event together. It may be called twice for the same guest, also concurrently, and be killed at any
 * point: the order stays in the guest until the badge of the latest order is stored.
 */
export class BadgeMaker {
  readonly #options: MakerOptions
  readonly #orders

  constructor(options: MakerOptions) {
    this.#options = options
    this.#orders = clientOf(options.bus, badgeOrders)
  }

  /**
   * Makes all badges of these guests that were ordered before the call, unless drawing fails. Throws if a service or the store is away.
   */
  async make(owners: Owner[]): Promise<MakingResult> {
    const begun = performance.now()
    const work = { drawn: 0, processorMs: 0, failed: new Map<string, unknown>() }
    for (const [event_id, own] of Map.groupBy(owners, (owner) => owner.event_id)) {
      let left = [...new Set(own.map(({ guest_id }) => guest_id))]
      // A guest who was changed meanwhile has a new order.
      while (left.length > 0) left = await this.#makeOnce(event_id, left, work)
    }
    const { drawn, processorMs, failed } = work
    return { drawn, waitingMs: performance.now() - begun - processorMs, failed }
  }

  /** Makes the badges of an event's guests as they are now. Returns the guests who have a newer order. */
  async #makeOnce(event_id: string, guest_ids: string[], work: DrawingTotals): Promise<string[]> {
    const { store, guests } = this.#options
    const found = await Promise.all(guest_ids.map((id) => guests.printed(event_id, id)))
    const gone = guest_ids.filter((_, index) => !found[index])
    if (gone.length > 0) await store.deleteOfGuests(event_id, gone)
    const due = found.flatMap((guest) => (guest?.badge_due ? [guest] : []))
    const wanted = await this.#wanted(
      event_id,
      due.filter(({ category }) => category.badge_enabled),
    )
    await store.put(event_id, await drawn(wanted, work))

    const byId = new Map(wanted.map((each) => [each.guest._id, each]))
    const orders = due
      .filter(({ _id }) => !work.failed.has(_id))
      .map(({ _id: guest_id, badge_order }) => {
        const badge = byId.get(guest_id)
        return { guest_id, badge_order, made: badge !== undefined, told: badge?.told ?? false }
      })
    if (orders.length === 0) return []
    const { guest_ids: ended } = await this.#orders.complete({ body: { event_id, orders } })
    const isEnded = new Set(ended)
    const told = wanted.filter(({ guest, told }) => isEnded.has(guest._id) && !told)
    await store.markPublished(
      event_id,
      told.map(({ guest, version }) => ({ guest_id: guest._id, version })),
    )
    return orders.flatMap(({ guest_id }) => (isEnded.has(guest_id) ? [] : [guest_id]))
  }

  /** The content of guests' badges. An unchanged badge is neither drawn nor published again. */
  async #wanted(event_id: string, due: Printed[]): Promise<WantedBadge[]> {
    if (due.length === 0) return []
    const { store, guests } = this.#options
    const ids = due.map(({ _id }) => _id)
    // Read after the guests: an event that changes its ciphering later orders its badges again.
    const [ciphering, heads] = await Promise.all([guests.ciphering(event_id), store.ofGuests(event_id, ids)])
    const byGuest = new Map(heads.map((head) => [head.guest_id, head]))
    const [{ badgeContentOf, LAYOUT, templateContentOf, TEMPLATE_LAYOUT }, used] = await Promise.all([
      drawing(),
      this.#templatesOf(event_id, due),
    ])
    return due.map((guest) => {
      const template = used.templates.get(guest.category.badge_template_id ?? '')
      const showsCode = template?.shows_qr_code ?? guest.category.badge_qr_code_enabled
      const qrCode = showsCode ? contentOf(guest, ciphering) : null
      const content = template
        ? templateContentOf(template, guest, used.metadata.get(guest._id) ?? new Map(), qrCode)
        : badgeContentOf(guest, qrCode)
      const version = versionOf(content, template ? TEMPLATE_LAYOUT : LAYOUT)
      const head = byGuest.get(guest._id)
      const stored = head?.version === version
      return { guest, content, version, stored, told: stored && head.told }
    })
  }

  /** The templates of guests' badges, and the metadata that these show, by guest. A template that is gone is missing. */
  async #templatesOf(event_id: string, due: Printed[]): Promise<UsedTemplates> {
    const ids = new Set(due.flatMap(({ category }) => category.badge_template_id ?? []))
    const found = await this.#options.templates.ofIds(event_id, [...ids])
    const templates = new Map(found.map((template) => [template._id, template]))
    const { metadataNamesOf } = await drawing()
    const names = [...new Set(found.flatMap(metadataNamesOf))]
    if (names.length === 0) return { templates, metadata: new Map() }
    const guest_ids = due.flatMap(({ _id, category }) => (templates.has(category.badge_template_id ?? '') ? [_id] : []))
    const all = await this.#orders.metadata({ body: { event_id, ids: guest_ids, names } })
    const metadata = all.map(({ _id, guest_metadata }) => {
      return [_id, new Map(guest_metadata.map(({ name, value }) => [name, value]))] as const
    })
    return { templates, metadata: new Map(metadata) }
  }
}

/** What badges by templates are made of, besides guests. */
interface UsedTemplates {
  templates: ReadonlyMap<string, StoredTemplate>
  metadata: ReadonlyMap<string, ReadonlyMap<string, string | null>>
}

/** Running totals. */
interface DrawingTotals {
  drawn: number
  /** Of drawing. A font with many letters takes long even on an idle machine. */
  processorMs: number
  failed: Map<string, unknown>
}

/** Draws the badges that are not stored, one after the other. */
async function drawn(wanted: WantedBadge[], work: DrawingTotals): Promise<MadeBadge[]> {
  const { drawBadge, drawTemplateBadge } = await drawing()
  const begun = process.threadCpuUsage()
  const made: MadeBadge[] = []
  for (const { guest, content, version, stored } of wanted) {
    if (stored) continue
    try {
      const bytes = await ('texts' in content ? drawTemplateBadge(content) : drawBadge(content))
      made.push({ guest_id: guest._id, version, badge_order: guest.badge_order, bytes })
    } catch (error) {
      work.failed.set(guest._id, error)
    }
  }
  work.drawn += made.length
  const { user, system } = process.threadCpuUsage(begun)
  work.processorMs += (user + system) / 1_000
  return made
}

function versionOf(content: BadgeContent | TemplateContent, layout: number): string {
  return createHash('sha256')
    .update(JSON.stringify([layout, content]))
    .digest('hex')
}
