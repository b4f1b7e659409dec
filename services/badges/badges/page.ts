import { badgeFields } from '@gatehouse/guests/resources'
import type { Printed } from '../guests.ts'
import type { BadgePage, Drawing } from './drawing.ts'
import type { Weight } from './fonts.ts'
import { pdfOf } from './pdf.ts'
import { clean, legible } from './printable.ts'
import { layOutText, type TextBlock } from './text-layout.ts'

/** Increase it when the same content is drawn differently: stored badges are then made again. */
export const LAYOUT = 3

/** A6 upright, in points. */
const PAGE_SIZE_PT = { width: 297.64, height: 419.53 }
const MARGIN = 20
const BAND = 56
const QR_SIDE = 150
const GAP = 8
export const INK = '#111827'
const GREY = '#4b5563'
const BAND_COLOUR = '#1e293b'
const WEIGHTS = { name: 700, company_name: 400, position: 400, category: 700, line: 400 } as const

/** The texts on a badge. Equal content gives equal badges. */
export interface BadgeContent {
  name: string
  company_name: string
  position: string
  category: string
  /** Content of the QR code; null for none. */
  qr_code: string | null
  /** What the code says, as a text below it; absent if that is not to be read. */
  code?: string
  /** The texts of the other fields that are lines on the badge; absent if there are none. */
  lines?: string[]
}

/** The fields that have a style of their own. */
const STYLED = new Set(['position', 'company_name'])

/**
 * The content of a guest's badge. Company, e-mail or uid replace a name that is missing or in letters without a font. Other texts in such
 * letters are left out. `fields` are the lines on the badge.
 */
export function badgeContentOf(
  guest: Printed,
  qr_code: string | null,
  fields: object = badgeFields,
  code?: string,
): BadgeContent {
  const shown = (text: string | null, weight: Weight) => legible(clean(text), weight)
  const name = shown([guest.first_name, guest.last_name].filter(Boolean).join(' '), WEIGHTS.name)
  const company = shown(guest.company_name, WEIGHTS.company_name)
  const texts = guest as unknown as Record<string, string | null>
  const lines = Object.keys(fields).flatMap((field) => {
    const line = STYLED.has(field) ? '' : shown(texts[field] ?? null, WEIGHTS.line)
    return line ? [line] : []
  })
  return {
    name: name || company || shown(guest.email, WEIGHTS.name) || clean(guest.uid),
    company_name: name ? company : '',
    position: shown(guest.position, WEIGHTS.position),
    category: shown(guest.category.name, WEIGHTS.category),
    qr_code,
    ...(code && { code }),
    ...(lines.length > 0 && { lines }),
  }
}

/** Draws a badge: a PDF of one page. */
export function drawBadge(content: BadgeContent): Promise<Buffer> {
  return pdfOf(badgePage(content))
}

/** As long as that of most guests. */
export const SAMPLE_UID = '0123456789'
export const SAMPLE_CODE = `MECARD:UID:${SAMPLE_UID};;`

/** The content of a badge without a guest: each text is the name of its field. */
export const SAMPLE: BadgeContent = {
  name: 'name',
  company_name: 'company_name',
  position: 'position',
  category: 'category',
  qr_code: SAMPLE_CODE,
  code: SAMPLE_UID,
}

/** The page of a badge without a template. */
export function badgePage(content: BadgeContent): BadgePage {
  return { ...PAGE_SIZE_PT, title: content.name, draw: (drawing) => draw(drawing, content) }
}

function draw(
  drawing: Drawing,
  { name, company_name, position, category, qr_code, code, lines = [] }: BadgeContent,
): void {
  const width = PAGE_SIZE_PT.width - 2 * MARGIN
  const centre = PAGE_SIZE_PT.width / 2

  drawing.fill(0, 0, PAGE_SIZE_PT.width, BAND, BAND_COLOUR)
  const label = layOutText(category, { width, height: BAND - GAP, weight: WEIGHTS.category, largest: 20 })
  drawing.text(label, (BAND - label.height) / 2, '#ffffff', centre)

  const caption = captionOf(code, width)
  const edge = PAGE_SIZE_PT.height - MARGIN - (caption?.height ?? 0)
  const bottom = qr_code === null ? edge : edge - QR_SIDE - GAP
  const room = bottom - BAND - 2 * GAP
  const parts = [
    { text: name, share: 0.56, largest: 34, weight: WEIGHTS.name, colour: INK },
    { text: position, share: 0.2, largest: 15, weight: WEIGHTS.position, colour: GREY },
    { text: company_name, share: 0.2, largest: 18, weight: WEIGHTS.company_name, colour: INK },
    ...lines.map((text) => ({ text, share: 0.12, largest: 13, weight: WEIGHTS.line, colour: GREY })),
  ].filter(({ text }) => text)
  const shares = parts.reduce((sum, { share }) => sum + share, 0)
  // Further lines share the room with the others, and each has a gap.
  const unit = (room - GAP * lines.length) / Math.max(1, shares)
  const blocks = parts.map(({ text, share, largest, weight, colour }) => {
    return { block: layOutText(text, { width, height: unit * share, weight, largest }), colour }
  })
  const height = blocks.reduce((sum, { block }) => sum + block.height, GAP * (blocks.length - 1))
  let y = BAND + GAP + (room - height) / 2
  for (const { block, colour } of blocks) {
    drawing.text(block, y, colour, centre)
    y += block.height + GAP
  }

  if (qr_code !== null) drawing.qrCode(qr_code, centre - QR_SIDE / 2, edge - QR_SIDE, QR_SIDE)
  if (caption) drawing.text(caption, edge, INK, centre)
}

const CAPTION_SIZE = 8
const CAPTION_HEIGHT = 11

/** What a QR code says, as a line below it; undefined where there is nothing to be said, or no room for all of it: a part would say something else. */
export function captionOf(code: string | undefined, width: number): TextBlock | undefined {
  if (!code) return undefined
  const block = layOutText(code, { width, height: CAPTION_HEIGHT, weight: WEIGHTS.line, largest: CAPTION_SIZE })
  const drawn = block.lines.flatMap(({ runs }) => runs.map(({ text }) => text)).join('')
  return drawn.length === code.length ? block : undefined
}

/** The code of a guest as a text for the badge; nothing in letters without a font. */
export function codeTextOf({ uid }: Pick<Printed, 'uid'>): string {
  return legible(clean(uid), WEIGHTS.line)
}
