import type { ComponentChildren } from 'preact'

/** How rows are sorted by a column. */
export interface Sorting {
  way: 'ascending' | 'descending' | 'none'
  turn: () => void
}

/** A column of a list. */
export interface ListColumn<Item> {
  name: string
  title: string
  /** Numbers are on the right. */
  isNumeric?: boolean
  /** Where not all columns fit, others give way: what it says is never cut. */
  isWhole?: boolean
  /** Its cells are a tick. */
  isTick?: boolean
  /** What the heading shows in place of the title. */
  heading?: ComponentChildren
  /** How the rows are sorted by it, and what sorts them otherwise. */
  sorting?: Sorting
  /** Whether the heading of a card says it, which a card does not repeat. */
  isInHeading?: boolean
  /** What explains itself has no label on a card, such as buttons. */
  isBare?: boolean
  /** Whether there is nothing to show of an item. Cards leave it out. */
  isEmpty?: (item: Item) => boolean
  show: (item: Item) => ComponentChildren
}
