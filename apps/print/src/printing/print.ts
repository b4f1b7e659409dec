/** How far it is with a badge. `printing`: it was given to the printer, and whether that went well is not known yet. */
export type PrintState = 'printing' | 'printed' | 'failed'

/** A badge as this station knows it: one for each guest. */
export interface StoredPrint {
  guest_uid: string
  /** The guest's. */
  name: string
  state: PrintState
  /** When the guest was let in. */
  access_stamp: string
  /** When the badge was last given to the printer. */
  printed_at: string
}

/** What a badge shows. */
export interface Badge {
  guest_uid: string
  name: string
  company: string | null
  position: string | null
  category: string | null
  /** The address of the QR code as SVG, at this origin; a test badge has none. */
  qr_code: string | undefined
  /** The badge as Gatehouse makes it; undefined where the category has none: then the station draws one of A6. */
  picture: BadgePicture | undefined
}

/** A badge as a picture of its size. */
export interface BadgePicture {
  /** At this origin. */
  address: string
  width_mm: number
  height_mm: number
}

/** The size of a badge as SVG, which begins with it. */
export function sizeOf(svg: string): Pick<BadgePicture, 'width_mm' | 'height_mm'> {
  const [, width, height] = /^<svg [^>]*width="([\d.]+)mm" height="([\d.]+)mm"/.exec(svg) ?? []
  if (width === undefined || height === undefined) throw new Error('The badge has no size')
  return { width_mm: Number(width), height_mm: Number(height) }
}

/** A granted check-in. */
export interface Entry {
  guest_uid: string
  access_stamp: string
}

/** The guests of check-ins whose badges are to be printed: not those who are known, nor who were let in before `since`; the first entry first. */
export function newOnes(entries: readonly Entry[], known: ReadonlySet<string>, since: string): Entry[] {
  const fresh = new Map<string, Entry>()
  const order = entries.toSorted((one, other) => one.access_stamp.localeCompare(other.access_stamp))
  for (const entry of order)
    if (!known.has(entry.guest_uid) && entry.access_stamp >= since && !fresh.has(entry.guest_uid))
      fresh.set(entry.guest_uid, entry)
  return [...fresh.values()]
}
