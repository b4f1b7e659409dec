import { type ComponentChildren, Fragment } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Bone } from '../view/skeleton.tsx'
import type { ListColumn } from './column.ts'
import type { Rows } from './rows.ts'

interface Props<Item> {
  label: string
  rows: Rows<Item>
  columns: ListColumn<Item>[]
  cardHeading: ((item: Item) => ComponentChildren) | undefined
  shown: number[]
  /** How high a card is that is not there yet; undefined if all are in the document. */
  usual: number | undefined
  /** Where the first one is; undefined if they stay where they are seen. */
  top: number | undefined
  /** Called with the heights of cards, by their numbers. */
  onSeen: (heights: ReadonlyMap<number, number>) => void
}

/** The rows that are seen as cards, each as high as it needs: a heading, and below it what an item has, with labels. */
export function Cards<Item>({ label, rows, columns, cardHeading, shown, usual, top, onSeen }: Props<Item>) {
  const list = useRef<HTMLUListElement>(null)
  const measure = useRef<() => void>(undefined)
  measure.current = () => {
    const cards = [...(list.current?.children ?? [])].flatMap((card, index): [number, number][] => {
      const number = shown[index]
      return number === undefined || !rows.at(number) ? [] : [[number, card.getBoundingClientRect().height]]
    })
    onSeen(new Map(cards))
  }
  useLayoutEffect(() => measure.current?.())
  useLayoutEffect(() => {
    // Names of guests come after their cards.
    const observer = new MutationObserver(() => measure.current?.())
    observer.observe(list.current as HTMLUListElement, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [])
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
            style={item || usual === undefined ? {} : { height: `${usual}px` }}
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
