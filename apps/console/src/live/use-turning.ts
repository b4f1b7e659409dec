import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'

/** How long a page is shown. */
const TURN_MS = 10_000
/** How long pages rest after someone has moved the pointer over them: a television's pointer lies somewhere for ever. */
const REST_MS = 30_000
/** How often pages are counted: their columns may change though neither their frame nor their words do. */
const COUNT_MS = 1_000
/** By how many pages keys turn. */
const KEYS: Readonly<Record<string, number>> = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }

/** Which page of the panels is shown, from 0, of how many, and whether they turn by themselves. */
export interface Turning {
  page: number
  count: number
  isTurning: boolean
}

/**
 * Turns the pages of panels that flow in columns, as long as `isOn`: by themselves, or by keys. A key or the pointer stops them; the space bar lets
 * them go on. They stand still for those who want no motion.
 */
export function useTurning(panels: RefObject<HTMLElement | null>, isOn: boolean): Turning {
  const [isTurning, setTurning] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  const [{ page, count }, setPages] = useState({ page: 0, count: 1 })
  const turn = (by: number): void => {
    const pages = panels.current ? pagesOf(panels.current) : 1
    setPages((before) => {
      const page = (Math.min(before.page, pages - 1) + by + pages) % pages
      return page === before.page && pages === before.count ? before : { page, count: pages }
    })
  }
  useEffect(() => {
    const element = panels.current
    if (!isOn || !element) return setPages({ page: 0, count: 1 })
    const count = (): void => turn(0)
    const resized = new ResizeObserver(count)
    const changed = new MutationObserver(count)
    resized.observe(element)
    changed.observe(element, { childList: true, characterData: true, subtree: true })
    const timer = setInterval(count, COUNT_MS)
    const press = (event: KeyboardEvent): void => {
      const by = event.key === ' ' ? 0 : KEYS[event.key]
      if (by === undefined) return
      event.preventDefault()
      setTurning((before) => by === 0 && !before)
      turn(by)
    }
    document.addEventListener('keydown', press)
    return () => {
      resized.disconnect()
      changed.disconnect()
      clearInterval(timer)
      document.removeEventListener('keydown', press)
    }
  }, [isOn])
  useEffect(() => {
    const element = panels.current
    if (!isOn || !isTurning || !element) return undefined
    let timer = setInterval(() => turn(1), TURN_MS)
    const rest = (): void => {
      clearInterval(timer)
      timer = setInterval(() => {
        clearInterval(timer)
        timer = setInterval(() => turn(1), TURN_MS)
      }, REST_MS)
    }
    element.addEventListener('pointermove', rest)
    return () => {
      clearInterval(timer)
      element.removeEventListener('pointermove', rest)
    }
  }, [isOn, isTurning])
  // In the same frame as the number of the page.
  useLayoutEffect(() => {
    const element = panels.current
    if (element) element.scrollLeft = isOn ? page * pitchOf(element) : 0
  }, [isOn, page, count])
  return { page, count, isTurning }
}

/** From one page to the next: the columns that are seen, and the gap that follows them. */
function pitchOf(element: HTMLElement): number {
  return element.clientWidth + Number.parseFloat(getComputedStyle(element).columnGap)
}

function pagesOf(element: HTMLElement): number {
  const pitch = pitchOf(element)
  // What is less than a part of a column is rounding.
  return Math.max(1, Math.ceil((element.scrollWidth - element.clientWidth) / pitch - 0.02) + 1)
}
