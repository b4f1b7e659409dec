/** Where not all columns fit, none is wider than a long e-mail address: what is longer is cut. */
export const WIDEST = 480
/** In two lines, those of several words may become as narrow as this. */
export const FOLDED = 96
/** Where they are scrolled even so, these are no wider: more columns are in sight. */
const READABLE = 160

/** How wide a column is to be. */
export interface ColumnWidth {
  wanted: number
  /** The same where cells have two lines, how wide it has to be there at least, and how wide it is in one line. */
  wantedFolded: number
  leastFolded: number
  unfolded: number
  /** Whether it is the first to have one line where others have two. */
  isWhole?: boolean
}

/** The widths of the columns of a table. */
export interface Fitted {
  widths: number[]
  /** Whether its cells have two lines. */
  isFolded: boolean
}

/**
 * The widths of columns: as wide as what is in them. Where not all fit, their cells have two lines, and the widest give way; where that is not enough,
 * they are scrolled, and no wider than is readable.
 */
export function fitted(columns: readonly ColumnWidth[], room: number): Fitted {
  const wanted = columns.map((column) => column.wanted)
  if (sumOf(wanted) <= room) return { widths: wanted, isFolded: false }
  const folded = columns.map((column) => column.wantedFolded)
  if (sumOf(folded) <= room) return { widths: grown(folded, columns, room), isFolded: true }
  const narrowed = (most: number): number[] =>
    columns.map(({ wantedFolded, leastFolded }) => Math.max(leastFolded, Math.min(wantedFolded, most)))
  for (let most = WIDEST; most >= FOLDED; most--) {
    const widths = narrowed(most)
    if (sumOf(widths) <= room) return { widths, isFolded: true }
  }
  return { widths: narrowed(READABLE), isFolded: true }
}

/** Gives as many columns one line as there is room for, first those that are to be seen whole, then those that lack least; the others share what is left. */
function grown(widths: readonly number[], columns: readonly ColumnWidth[], room: number): number[] {
  const lacks = columns.map(({ unfolded }, index) => unfolded - (widths[index] ?? 0))
  let left = room - sumOf(widths)
  const given = new Map<number, number>()
  const rank = (index: number): number => (columns[index]?.isWhole ? 0 : 1)
  const order = [...lacks.entries()].toSorted(([a, one], [b, other]) => rank(a) - rank(b) || one - other)
  for (const [index, lack] of order) {
    if (lack > left) continue
    given.set(index, lack)
    left -= lack
  }
  const lacking = sumOf(lacks) - sumOf([...given.values()])
  return widths.map((width, index) => {
    const lack = lacks[index] ?? 0
    return Math.floor(width + (given.get(index) ?? (left * lack) / lacking))
  })
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}
