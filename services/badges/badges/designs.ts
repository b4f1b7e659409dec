import { createHash } from 'node:crypto'
import type { Client } from '@gatehouse/proto/bus/client.ts'
import { type BadgeLogo, type BadgeLogoStore, logoIdsOf } from '../badge-templates/logos/store.ts'
import type { BadgeTemplate } from '../badge-templates/resource.ts'
import type { BadgeTemplateStore } from '../badge-templates/store.ts'
import type { Guests, Printed } from '../guests.ts'
import type { badgeOrders } from '../permissions.ts'
import { contentOf } from '../qr-codes/content.ts'
import type { BadgePage } from './drawing.ts'
import type { TemplateContent } from './template-page.ts'

/** Fonts and PDF are loaded for the first badge: they would take a third of the start of the process. */
const drawing = async () => ({ ...(await import('./page.ts')), ...(await import('./template-page.ts')) })

/** How a guest's badge looks. */
export interface DesignedBadge {
  guest: Printed
  page: BadgePage
  /** By which the page is drawn; absent for the usual badge. */
  content?: TemplateContent
  /** Equal badges have the same one. */
  version: string
}

interface DesignOptions {
  templates: BadgeTemplateStore
  badgeLogos: BadgeLogoStore
  guests: Guests
  orders: Client<typeof badgeOrders>
}

/** What badges by templates are made of, besides guests. */
interface UsedTemplates {
  templates: ReadonlyMap<string, BadgeTemplate>
  logos: ReadonlyMap<string, BadgeLogo>
  metadata: ReadonlyMap<string, ReadonlyMap<string, string | null>>
}

/** Lays out the badges of guests as they are now: by the templates of their categories, or as usual. */
export class BadgeDesigns {
  readonly #options: DesignOptions

  constructor(options: DesignOptions) {
    this.#options = options
  }

  /** The badges of an event's guests, in their order. */
  async of(event_id: string, printed: Printed[]): Promise<DesignedBadge[]> {
    if (printed.length === 0) return []
    const ids = new Set(printed.flatMap(({ category }) => category.badge_template_id ?? []))
    return this.#designed(event_id, printed, await this.#options.templates.ofIds(event_id, [...ids]))
  }

  /** The badge that a guest would have by a template. */
  async byTemplate(template: BadgeTemplate, guest: Printed): Promise<DesignedBadge | undefined> {
    const category = { ...guest.category, badge_template_id: template._id }
    const [badge] = await this.#designed(template.event_id, [{ ...guest, category }], [template])
    return badge
  }

  async #designed(event_id: string, printed: Printed[], found: BadgeTemplate[]): Promise<DesignedBadge[]> {
    // Read after the guests: an event that changes its ciphering later orders its badges again.
    const [ciphering, { templates, logos, metadata }, layouts] = await Promise.all([
      this.#options.guests.ciphering(event_id),
      this.#used(event_id, printed, found),
      drawing(),
    ])
    const { badgeContentOf, badgePage, codeTextOf, LAYOUT, templateContentOf, templatePage, TEMPLATE_LAYOUT } = layouts
    return printed.map((guest) => {
      const template = templates.get(guest.category.badge_template_id ?? '')
      const showsCode = template?.shows_qr_code ?? guest.category.badge_qr_code_enabled
      const qrCode = showsCode ? contentOf(guest, ciphering) : null
      // What is ciphered is not to be read beside the code.
      const code = showsCode && !ciphering.enabled ? codeTextOf(guest) : ''
      if (!template) {
        const content = badgeContentOf(guest, qrCode, undefined, code)
        return { guest, page: badgePage(content), version: versionOf(content, LAYOUT) }
      }
      const content = templateContentOf(template, guest, metadata.get(guest._id) ?? new Map(), qrCode, code)
      const logo = logos.get(template.logo_id ?? '')
      return { guest, content, page: templatePage(content, logo), version: versionOf(content, TEMPLATE_LAYOUT) }
    })
  }

  /** The templates by id, their logos, and the metadata that these show, by guest. A template that is gone is missing. */
  async #used(event_id: string, printed: Printed[], found: BadgeTemplate[]): Promise<UsedTemplates> {
    const templates = new Map(found.map((template) => [template._id, template]))
    const { metadataNamesOf } = await drawing()
    const stored = await this.#options.badgeLogos.ofIds(event_id, logoIdsOf(found))
    const logos = new Map(stored.map((logo) => [logo.logo_id, logo]))
    const names = [...new Set(found.flatMap(metadataNamesOf))]
    if (names.length === 0) return { templates, logos, metadata: new Map() }
    const ids = printed.flatMap(({ _id, category }) => (templates.has(category.badge_template_id ?? '') ? [_id] : []))
    const all = await this.#options.orders.metadata({ body: { event_id, ids, names } })
    const metadata = all.map(({ _id, guest_metadata }) => {
      return [_id, new Map(guest_metadata.map(({ name, value }) => [name, value]))] as const
    })
    return { templates, logos, metadata: new Map(metadata) }
  }
}

function versionOf(content: object, layout: number): string {
  return createHash('sha256')
    .update(JSON.stringify([layout, content]))
    .digest('hex')
}
