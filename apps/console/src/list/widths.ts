/** Where not all columns fit, none is wider than a long e-mail address: what is longer is cut. */
export const WIDEST = 480
/** In one line, those of several words become no narrower than this. */
export const READABLE = 320
/** In two lines, as narrow as this. */
export const FOLDED = 96
/** As this where they are scrolled even so, and one is to be seen whole. */
export const NARROWED = 160

/** How wide a column is to be, and has to be at least. */
export interface ColumnWidth {
  wanted: number
  least: number
  /** The same where cells have two lines. */
  folded: number
  /** Whether it is to be in sight whole, though the table is scrolled. */
  isWhole?: boolean
}

/** The widths of the columns of a table. */
export interface Fitted {
  widths: number[]
  /** Whether its cells have two lines. */
  isFolded: boolean
}

/**
 * The widths of columns: as wide as what is in them. Where not all fit the widest give way; where that is not enough, their cells have two lines; where
 * that is not enough either they are scrolled, and give way no further than is readable, unless one is to be seen whole.
 */
export function fitted(columns: readonly ColumnWidth[], room: number): Fitted {
  const atMost = (most: number, least: 'least' | 'folded' = 'least') =>
    columns.map((column) => Math.max(column[least], Math.min(column.wanted, most)))
  const fitting = (from: number, to: number, least: 'least' | 'folded'): number[] | undefined => {
    for (let most = from; most >= to; most--) {
      const widths = atMost(most, least)
      if (widths.reduce((sum, width) => sum + width, 0) <= room) return widths
    }
    return undefined
  }
  const widths = fitting(Math.max(WIDEST, room), READABLE, 'least')
  if (widths) return { widths, isFolded: false }
  const folded = fitting(WIDEST, FOLDED, 'folded')
  if (folded) return { widths: folded, isFolded: true }
  return { widths: atMost(columns.some(({ isWhole }) => isWhole) ? NARROWED : READABLE), isFolded: false }
}
