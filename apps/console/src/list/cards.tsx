import { type ComponentChildren, Fragment } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Bone } from '../view/skeleton.tsx'
import type { ListColumn } from './column.ts'
import type { Rows } from './rows.ts'

/** The padding of a card and the line below it, as the style sheet has them. */
const BELOW = 11

interface Props<Item> {
  label: string
  rows: Rows<Item>
  columns: ListColumn<Item>[]
  cardHeading: ((item: Item) => ComponentChildren) | undefined
  shown: number[]
  /** The height of each card; undefined if each is as high as it needs. */
  height: number | undefined
  /** Where the first one is; undefined if they stay where they are seen. */
  top: number | undefined
  /** Called with the height that a card needs, if it is higher. */
  onHigher: (height: number) => void
}

/** The rows that are seen as cards: a heading, and below it what an item has, with labels. In a long list all are as high as the highest that was seen. */
export function Cards<Item>({ label, rows, columns, cardHeading, shown, height, top, onHigher }: Props<Item>) {
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => {
    if (height === undefined) return undefined
    const measured = list.current as HTMLUListElement
    const measure = (): void => {
      const highest = Math.max(...[...measured.children].map(neededBy))
      if (highest > height) onHigher(highest)
    }
    measure()
    // Names of guests come after their cards.
    const observer = new MutationObserver(measure)
    observer.observe(measured, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [height])
  const ticks = columns.filter(({ isTick }) => isTick)
  const others = columns.filter(({ isTick }) => !isTick)
  const [first] = others
  const values = others.filter((each) => !(each.isInHeading ?? (!cardHeading && each === first)))
  return (
    <ul
      class="cards"
      ref={list}
      aria-label={label}
      style={top === undefined ? {} : { position: 'absolute', top: `${top}px` }}
    >
      {shown.map((index) => {
        const item = rows.at(index)
        return (
          <li
            key={index}
            aria-posinset={index + 1}
            aria-setsize={rows.isCounted ? rows.count : -1}
            style={height === undefined ? {} : { height: `${height}px` }}
          >
            <div class="heading">
              {item && ticks.map(({ name, show }) => <Fragment key={name}>{show(item)}</Fragment>)}
              {item ? (cardHeading ?? first?.show)?.(item) : <Bone />}
            </div>
            {item && <Values item={item} columns={values} />}
          </li>
        )
      })}
    </ul>
  )
}

/** The height of a card down to the end of what is in it. */
function neededBy(card: Element): number {
  const end = card.lastElementChild?.getBoundingClientRect().bottom ?? 0
  return Math.ceil(end - card.getBoundingClientRect().top + BELOW)
}

function Values<Item>({ item, columns }: { item: Item; columns: ListColumn<Item>[] }) {
  const filled = columns.filter(({ isEmpty }) => !isEmpty?.(item))
  const labelled = filled.filter(({ isBare }) => !isBare)
  return (
    <>
      {labelled.length > 0 && (
        <dl>
          {labelled.map(({ name, title, show }) => (
            <div key={name}>
              <dt>{title}</dt>
              <dd>{show(item)}</dd>
            </div>
          ))}
        </dl>
      )}
      {filled
        .filter(({ isBare }) => isBare)
        .map(({ name, show }) => (
          <div key={name} class="buttons">
            {show(item)}
          </div>
        ))}
    </>
  )
}
