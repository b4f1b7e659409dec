import type { BadgeLogo } from '../badge-templates/logos/store.ts'
import type { BadgeTemplate } from '../badge-templates/resource.ts'
import type { Printed } from '../guests.ts'
import { type BadgePage, type Drawing, PT_PER_MM } from './drawing.ts'
import type { Weight } from './fonts.ts'
import { badgeContentOf, captionOf, INK, SAMPLE_CODE, SAMPLE_UID } from './page.ts'
import { pdfOf } from './pdf.ts'
import { clean, legible } from './printable.ts'
import { layOutText, type TextBlock } from './text-layout.ts'

/** Increase it when the same content is drawn differently: stored badges are then made again. */
export const TEMPLATE_LAYOUT = 1

/** What is on a badge that a template describes. Equal content gives equal badges. */
export interface TemplateContent extends Pick<BadgeTemplate, 'width_mm' | 'height_mm' | 'colour' | 'fold'> {
  /** The document's. */
  title: string
  texts: { text: string; size: number; weight: Weight }[]
  /** Content of the QR code; null for none. */
  qr_code: string | null
  /** What the code says, as a text below it; absent if that is not to be read, or is a line. */
  code?: string
  /** Absent if there is none. */
  logo_id?: string
}

/** The fields of a guest that a line may show besides metadata. */
const GUEST_FIELDS = new Set([
  'first_name',
  'last_name',
  'company_name',
  'position',
  'email',
  'phone_number',
  'uid',
] as const satisfies (keyof Printed)[])

const DERIVED = new Set(['name', 'category'])

const WEIGHTS = { regular: 400, bold: 700 } as const

/** The names of the metadata that a template shows. */
export function metadataNamesOf({ lines }: Pick<BadgeTemplate, 'lines'>): string[] {
  const isOwn = (field: string) => !DERIVED.has(field) && !(GUEST_FIELDS as Set<string>).has(field)
  return lines.flatMap(({ field }) => (isOwn(field) ? [field] : []))
}

/** The content of a guest's badge by a template. Texts that are missing or in letters without a font are left out. */
export function templateContentOf(
  template: BadgeTemplate,
  guest: Printed,
  metadata: ReadonlyMap<string, string | null>,
  qr_code: string | null,
  code = '',
): TemplateContent {
  const { lines } = template
  const { name, category } = badgeContentOf(guest, null)
  const textOf = (field: string): string | null => {
    if (field === 'name') return name
    if (field === 'category') return category
    if ((GUEST_FIELDS as Set<string>).has(field))
      return (guest as unknown as Record<string, string | null>)[field] ?? null
    return metadata.get(field) ?? null
  }
  const texts = lines.flatMap(({ field, size, weight }) => {
    const text = legible(clean(textOf(field)), WEIGHTS[weight])
    return text ? [{ text, size, weight: WEIGHTS[weight] }] : []
  })
  return { title: name, ...frameOf(template), texts, qr_code, ...belowCode(template, code) }
}

/** The content of a badge without a guest: each line shows the name of its field. */
export function sampleContentOf(template: BadgeTemplate): TemplateContent {
  const { name, lines, shows_qr_code } = template
  const texts = lines.flatMap(({ field, size, weight }) => {
    const text = legible(clean(field), WEIGHTS[weight])
    return text ? [{ text, size, weight: WEIGHTS[weight] }] : []
  })
  return {
    title: name,
    ...frameOf(template),
    texts,
    ...(shows_qr_code ? { qr_code: SAMPLE_CODE, ...belowCode(template, SAMPLE_UID) } : { qr_code: null }),
  }
}

function belowCode({ lines }: BadgeTemplate, code: string): Pick<TemplateContent, 'code'> {
  return code === '' || lines.some(({ field }) => field === 'uid') ? {} : { code }
}

/** What all badges by a template have in common. */
function frameOf({ width_mm, height_mm, colour, fold, logo_id }: BadgeTemplate) {
  return { width_mm, height_mm, colour, fold, ...(logo_id && { logo_id }) }
}

/** Draws a badge by a template: a PDF of one page of the template's size. */
export function drawTemplateBadge(content: TemplateContent, created?: Date): Promise<Buffer> {
  return pdfOf(templatePage(content), created)
}

/** The page of a badge by a template, with the template's logo. */
export function templatePage(content: TemplateContent, logo?: BadgeLogo): BadgePage {
  const width = content.width_mm * PT_PER_MM
  const height = content.height_mm * PT_PER_MM
  const draw = (drawing: Drawing): void => {
    if (content.fold === 'none') return drawSide(drawing, content, { width, height }, logo)
    drawing.placed({ x: 0, y: height / 2 }, () => drawSide(drawing, content, { width, height: height / 2 }, logo))
    drawing.placed({ x: width, y: height / 2, degrees: 180 }, () =>
      drawSide(drawing, content, { width, height: height / 2 }, logo),
    )
  }
  return { width, height, title: content.title, draw }
}

/** Of the height. */
const STRIP = 0.06
/** Of the shorter side. */
const MARGIN = 0.06
/** The largest share of a side that the QR code takes, and its largest length in points. */
const QR_SHARE = 0.4
const LARGEST_QR = 170
/** Of the height: the logo is no higher. */
const LOGO_SHARE = 0.16
const GAP = 6

/** How large a line is. */
export interface LineSize {
  text: string
  /** As the template says, in points. */
  size: number
  /** As it is printed: smaller where the texts do not fit. */
  printed_size: number
}

/** How large the lines of a badge are. */
export function sizesOf(content: TemplateContent, logo?: BadgeLogo): LineSize[] {
  const { width_mm, height_mm, fold, texts } = content
  if (texts.length === 0) return []
  const height = (height_mm * PT_PER_MM) / (fold === 'none' ? 1 : 2)
  const { blocks, scale } = fitted(texts, layOutSide(content, { width: width_mm * PT_PER_MM, height }, logo).room)
  return texts.map(({ text, size }, index) => {
    const drawn = (blocks[index]?.size ?? size) * scale
    return { text, size, printed_size: Math.round(drawn * 10) / 10 }
  })
}

/**
 * Draws one side of a badge: a strip in its colour, the logo, texts, and the QR code below these, or beside them if the side is wide.
 */
function drawSide(drawing: Drawing, content: TemplateContent, side: Side, logo: BadgeLogo | undefined): void {
  const { colour, qr_code, texts } = content
  const { width, height } = side
  const { room, code, caption, picture } = layOutSide(content, side, logo)
  drawing.fill(0, 0, width, STRIP * height, colour)
  if (qr_code !== null && code) drawing.qrCode(qr_code, code.x, code.y, code.side)
  if (logo && picture) drawing.image(logo, picture.x, picture.y, picture.width, picture.height)
  drawTexts(drawing, texts, room)
  if (code && caption) drawing.text(caption, code.y + code.side, INK, code.x + code.side / 2)
}

/** The size of a side of a badge, in points. */
type Side = Pick<Room, 'width' | 'height'>

/** Where the parts of a side are. */
interface SideLayout {
  /** Of the texts. */
  room: Room
  code?: { x: number; y: number; side: number } | undefined
  /** Below the code. */
  caption?: TextBlock | undefined
  /** The logo. */
  picture?: Room
}

/** Lays out a side: the QR code and the logo, if there are any, take their room from the texts. */
function layOutSide(content: TemplateContent, size: Side, logo?: BadgeLogo): SideLayout {
  const { room, code, caption } = layOutCode(content, size)
  if (!logo) return { room, code, caption }
  const scale = Math.min(room.width / logo.width, (LOGO_SHARE * size.height) / logo.height)
  const [width, height] = [logo.width * scale, logo.height * scale]
  const picture = { x: room.x + (room.width - width) / 2, y: room.y, width, height }
  const taken = height + GAP
  return { room: { ...room, y: room.y + taken, height: room.height - taken }, code, caption, picture }
}

function layOutCode({ qr_code, code: text }: TemplateContent, { width, height }: Side): Omit<SideLayout, 'picture'> {
  const margin = MARGIN * Math.min(width, height)
  const top = STRIP * height + margin
  const room = { x: margin, y: top, width: width - 2 * margin, height: height - top - margin }
  if (qr_code === null) return { room }
  const isWide = room.width > room.height
  const largest = Math.min(LARGEST_QR, isWide ? room.width * QR_SHARE : room.height * QR_SHARE, room.width)
  const caption = captionOf(text, isWide ? largest : room.width)
  const below = caption?.height ?? 0
  const side = isWide ? Math.min(largest, room.height - below) : largest
  const code = isWide
    ? { x: width - margin - side, y: room.y + (room.height - side - below) / 2, side }
    : { x: (width - side) / 2, y: height - margin - below - side, side }
  if (isWide) room.width -= side + GAP
  else room.height -= side + below + GAP
  return { room, code, caption }
}

interface Room {
  x: number
  y: number
  width: number
  height: number
}

/** Draws texts one below the other in the middle of their room: smaller where they need more than there is, but all of them. */
function drawTexts(drawing: Drawing, texts: TemplateContent['texts'], room: Room): void {
  if (texts.length === 0) return
  const { blocks, height, scale } = fitted(texts, room)
  const y = room.y + (room.height - height * scale) / 2
  drawing.placed({ x: room.x, y, scale }, () => {
    let top = 0
    for (const block of blocks) {
      drawing.text(block, top, INK, room.width / scale / 2)
      top += block.height + GAP
    }
  })
}

const SMALLEST = 5
const SHRINKING = 0.92

interface Fitted {
  blocks: TextBlock[]
  height: number
  /** Below 1 where the texts do not fit even at the smallest size. */
  scale: number
}

/**
 * Texts at the largest sizes at which all fit. Lines are wrapped first; then all sizes shrink alike; what does not fit at the smallest size is
 * drawn on a larger page that is scaled down, since a text that is cut off says something else.
 */
function fitted(texts: TemplateContent['texts'], room: Room): Fitted {
  const laidOut = (factor: number, width: number): Fitted => {
    const blocks = texts.map(({ text, size, weight }) =>
      layOutText(text, { width, height: Number.POSITIVE_INFINITY, weight, largest: Math.max(SMALLEST, size * factor) }),
    )
    const height = blocks.reduce((sum, block) => sum + block.height, GAP * (blocks.length - 1))
    return { blocks, height, scale: 1 }
  }
  const largest = Math.max(...texts.map(({ size }) => size))
  for (let factor = 1; ; factor *= SHRINKING) {
    const found = laidOut(factor, room.width)
    if (found.height <= room.height) return found
    if (largest * factor <= SMALLEST) break
  }
  for (let scale = SHRINKING; ; scale *= SHRINKING) {
    const found = laidOut(0, room.width / scale)
    if (found.height * scale <= room.height) return { ...found, scale }
  }
}
