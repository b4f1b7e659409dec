/** Where not all columns fit, none is wider than a long e-mail address: what is longer is cut. */
export const WIDEST = 480
/** Then those of several words may become as narrow as this. */
export const NARROWED = 160

/** Where they are scrolled even so, these are no wider: more columns are in sight. */
export const READABLE = 320

/** How wide a column is to be, and has to be at least. */
export interface ColumnWidth {
  wanted: number
  least: number
  /** Whether it is to be in sight whole, though the table is scrolled. */
  isWhole?: boolean
}

/** The widths of columns: as wide as what is in them. Where not all fit the widest give way; where that is not enough they are scrolled, and give way no further than is readable, unless one is to be seen whole. */
export function fitted(columns: readonly ColumnWidth[], room: number): number[] {
  const atMost = (most: number) => columns.map(({ wanted, least }) => Math.max(least, Math.min(wanted, most)))
  for (let most = Math.max(WIDEST, room); most >= NARROWED; most--) {
    const widths = atMost(most)
    if (widths.reduce((sum, width) => sum + width, 0) <= room) return widths
  }
  return atMost(columns.some(({ isWhole }) => isWhole) ? NARROWED : READABLE)
}
