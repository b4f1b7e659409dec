import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { untilDecided } from '@gatehouse/proto/storage/mongo.ts'
import { upserted } from '@gatehouse/proto/storage/upserted.ts'
import { Binary, type Collection, type Db } from 'mongodb'
import type { BadgeTemplate } from '../resource.ts'
import type { Raster } from './rasterizer.ts'

/** The logo of badge templates, as it is printed. */
export interface BadgeLogo extends Raster {
  /** Follows from the picture. */
  logo_id: string
}

interface StoredLogo extends Omit<BadgeLogo, 'png'> {
  _id: string
  event_id: string
  png: Binary
  stored_at: Date
}

/** A logo that is being stored is not named by its template yet. */
const SPARED_MS = 60_000

/** The logos that templates name. */
export function logoIdsOf(templates: Pick<BadgeTemplate, 'logo_id'>[]): string[] {
  return templates.flatMap(({ logo_id }) => logo_id ?? [])
}

/** The badge_logos collection. Badge templates name their logos; others are left over from replaced ones. */
export class BadgeLogoStore {
  readonly #logos: Collection<StoredLogo>

  constructor(db: Db) {
    this.#logos = db.collection('badge_logos')
  }

  async prepare(): Promise<void> {
    await this.#logos.createIndex({ event_id: 1 })
  }

  /** Stores a logo. Returns its id. */
  async put(event_id: string, raster: Raster): Promise<string> {
    const logo_id = derivedId('badge_logo', Buffer.from(raster.png).toString('base64'))
    await this.#insert(event_id, { ...raster, logo_id })
    return logo_id
  }

  /** Stores logos of an event for another one. */
  async copy(from_event_id: string, event_id: string, logo_ids: string[]): Promise<void> {
    for (const logo of await this.ofIds(from_event_id, logo_ids)) await this.#insert(event_id, logo)
  }

  async #insert(event_id: string, { png, ...logo }: BadgeLogo): Promise<void> {
    const _id = derivedId('badge_logo', event_id, logo.logo_id)
    // One that is left over counts as new, or another template's upload deletes it before its template names it.
    const change = { $set: { event_id, ...logo, png: new Binary(png), stored_at: new Date() } }
    await upserted(() => untilDecided(() => this.#logos.updateOne({ _id }, change, { upsert: true })))
  }

  async ofIds(event_id: string, logo_ids: string[]): Promise<BadgeLogo[]> {
    if (logo_ids.length === 0) return []
    const ids = logo_ids.map((logo_id) => derivedId('badge_logo', event_id, logo_id))
    const found = await this.#logos.find({ _id: { $in: ids }, event_id }).toArray()
    return found.map(({ logo_id, width, height, png }) => ({ logo_id, width, height, png: Buffer.from(png.buffer) }))
  }

  /** Deletes an event's logos other than those that its templates name. */
  async deleteOthers(event_id: string, logo_ids: string[]): Promise<void> {
    const stored_at = { $lt: new Date(Date.now() - SPARED_MS) }
    await this.#logos.deleteMany({ event_id, logo_id: { $nin: logo_ids }, stored_at })
  }
}
