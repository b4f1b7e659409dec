import type { BadgeLogo } from '../badge-templates/logos/store.ts'
import type { TextBlock } from './text-layout.ts'

/** Points in a millimetre. */
export const PT_PER_MM = 72 / 25.4

/** Distance of the baseline from the top of its line, as a fraction of the size. */
export const BASELINE = 0.95

/** Where something is drawn: its origin, and how it is turned and scaled there. */
export interface Placing {
  x: number
  y: number
  degrees?: number
  scale?: number
}

/** What a badge is drawn on: a page of a PDF, or a picture. All measures are in points from the upper left corner. */
export interface Drawing {
  /** Fills a rectangle. */
  fill(x: number, y: number, width: number, height: number, colour: string): void
  /** Draws text, each line centred at `centre`. */
  text(block: TextBlock, top: number, colour: string, centre: number): void
  qrCode(content: string, x: number, y: number, length: number): void
  /** Draws a picture. */
  image(logo: BadgeLogo, x: number, y: number, width: number, height: number): void
  /** Draws by `work` in coordinates of its own. */
  placed(placing: Placing, work: () => void): void
}

/** A badge that is laid out on its page. */
export interface BadgePage {
  /** In points. */
  width: number
  height: number
  title: string
  draw(drawing: Drawing): void
}
