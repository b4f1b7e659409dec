import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Stops of a page, at most. */
const MOST = 120
/** Fields of a date and time have this many stops within. */
const WITHIN = 10

/** Where the focus is. */
interface Stop {
  /** A number of its own for each element. */
  element: number
  /** What a screen reader calls it. */
  name: string
  html: string
  /** Whether it is marked, within the window, and not below something else. */
  isVisible: boolean
}

/** Someone who has a keyboard and no mouse. Each stop must be visible. */
export class Keyboard {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Goes to what has a name, with Tab, or with Shift and Tab. */
  async reach(name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const others = new Set<string>()
    for await (const stop of this.#stops(key)) {
      if (stop.name === name) return
      others.add(stop.name)
    }
    throw new Error(`${key} does not lead to ${name}, but to ${[...others].join(', ')}`)
  }

  /** Goes to a field and types. */
  async fill(name: string, text: string): Promise<void> {
    await this.reach(name)
    await this.#page.keyboard.type(text)
  }

  /** Goes to what has a name, and presses a key there. */
  async press(name: string, key: 'Enter' | 'Space', way: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.reach(name, way)
    await this.#page.keyboard.press(key)
  }

  /** Goes through all of a page, from what has a name until there again: nothing keeps the focus. */
  async goRound(name: string): Promise<void> {
    await this.reach(name)
    await this.reach(name)
  }

  async *#stops(key: string): AsyncGenerator<Stop> {
    let within = 0
    let last: number | undefined
    for (let presses = 0; presses < MOST; presses++) {
      await this.#page.keyboard.press(key)
      const stop = await this.#page.evaluate(focused)
      // Between the end of the page and its beginning.
      if (!stop) continue
      expect(stop.isVisible, `the focus is seen at ${stop.html}`).toBe(true)
      within = stop.element === last ? within + 1 : 0
      expect(within, `the focus leaves ${stop.html}`).toBeLessThan(WITHIN)
      last = stop.element
      yield stop
    }
  }
}

/** Where the focus is; undefined if nothing has it. Runs in the page. */
function focused(): Stop | undefined {
  // biome-ignore lint/suspicious/noExplicitAny: globals of a browser
  const { document, getComputedStyle, innerHeight, innerWidth, numbers = new WeakMap() } = globalThis as any
  Object.assign(globalThis, { numbers })
  const element = document.activeElement
  if (!element || element === document.body) return undefined
  if (!numbers.has(element)) numbers.set(element, Math.random())
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const isWithin = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
  const middle = (low: number, high: number, most: number) => (Math.max(low, 0) + Math.min(high, most)) / 2
  const above = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight))
  const [label] = element.labels ?? []
  // Without the choices of a list that is in its label.
  const texts = [...(label ?? element).childNodes].filter(({ nodeName }) => nodeName !== 'SELECT')
  return {
    element: numbers.get(element),
    name: (element.ariaLabel ?? texts.map(({ textContent }) => textContent).join('')).trim(),
    html: element.outerHTML.slice(0, 150),
    isVisible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && isWithin && element.contains(above),
  }
}
