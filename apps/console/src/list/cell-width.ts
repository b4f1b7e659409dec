import { type ColumnWidth, FOLDED, WIDEST } from './widths.ts'

/** The padding of a cell on both sides, as the style sheet has it. */
export const PADDING = 24
/** The parts of a browser's pixel. */
export const ROUNDING = 1
/** How much smaller letters are in two lines, and the padding of a cell then, as the style sheet has them; headings and buttons have such letters anyway. */
const SMALLER = 13 / 15
const SMALLER_PADDING = 16
/** By what part of itself a line may be longer in smaller letters than their size says. */
const UNEVEN = 0.03

/** How wide a cell is to be: whole, if its column is, or if it has a time, a button, an e-mail address or one word. */
export function widthOf(cell: HTMLTableCellElement, isOfWhole: boolean): ColumnWidth {
  const content = extentOf((range) => range.selectNodeContents(cell))
  const wanted = Math.ceil(lengthOf(content)) + PADDING + ROUNDING
  const hasButton = cell.querySelector('button') !== null
  const isAddress = cell.querySelector('wbr') !== null
  const isWord =
    !isAddress && (hasButton || cell.querySelector('.one-word') !== null || !/[^\S\u00a0\u202f]/.test(cell.textContent))
  const isWhole = isOfWhole || isAddress || isWord || cell.querySelector('time')
  const usual = { wanted, isWhole: isOfWhole || isAddress }
  // Ticks and what can be done look the same.
  if (!cell.querySelector('.held')) return { ...usual, wantedFolded: wanted, leastFolded: wanted, unfolded: wanted }
  const scale = hasButton || cell.tagName === 'TH' ? 1 : SMALLER * (1 + UNEVEN)
  const words = isWord ? [content] : wordsOf(cell)
  const foldedOf = (length: number): number => Math.ceil(length * scale) + ROUNDING + SMALLER_PADDING
  const wantedFolded = Math.min(foldedOf(inTwoLines(content, words)), WIDEST)
  const longest = isWhole ? WIDEST : Math.max(FOLDED, foldedOf(Math.max(...words.map(lengthOf))))
  const leastFolded = Math.min(wantedFolded, longest)
  return { ...usual, wantedFolded, leastFolded, unfolded: foldedOf(lengthOf(content)) }
}

/** From where to where something is in a line, in pixels. */
type Extent = Pick<DOMRect, 'left' | 'right'>

function lengthOf({ left, right }: Extent): number {
  return right - left
}

function extentOf(choose: (range: Range) => void): Extent {
  const range = document.createRange()
  choose(range)
  return range.getBoundingClientRect()
}

/** Where the words of a cell are, between which lines may end. */
function wordsOf(cell: HTMLTableCellElement): Extent[] {
  const words: Extent[] = []
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/[\S\u00a0\u202f]+/g))
      words.push(
        extentOf((range) => {
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
        }),
      )
  return words
}

/** How wide two lines have to be: lines end between words. */
function inTwoLines(content: Extent, words: readonly Extent[]): number {
  const folds = words.slice(1).map((word, index) => {
    const before = words[index] ?? content
    return Math.max(before.right - content.left, content.right - word.left)
  })
  return Math.min(lengthOf(content), ...folds)
}
