// @module-tag slow
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsoleBrowser } from './console-browser.ts'

const system = await sharedSystem()
let browser: ConsoleBrowser

beforeAll(async () => {
  browser = await ConsoleBrowser.start(system)
})
afterAll(() => browser?.close())

/** Where the first and the last sign of a cell's text begin, in pixels from the left of the cell. */
const ENDS = `(cell) => {
  const node = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode()
  return [0, node.data.length - 1].map((at) => {
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    return range.getBoundingClientRect().left - cell.getBoundingClientRect().left
  })
}`

test.each([
  ['القاعة (P2) 2', 'right'],
  ['Hall (P2) 2', 'left'],
] as const)('the name %s is read from the %s, number and brackets too, at the left of its cell', async (name, side) => {
  const event = await TestEvent.open(system)
  await event.point(name)
  const page = await browser.open(`events/${event.id}/accesspoints`)
  const cell = page.locator('td').filter({ hasText: name })
  await cell.waitFor()
  const [first = 0, last = 0] = await page.evaluate<number[]>(
    `(${ENDS})([...document.querySelectorAll('td')].find(({ textContent }) => textContent.includes(${JSON.stringify(name)})))`,
  )
  expect(first > last ? 'right' : 'left').toBe(side)
  expect(Math.min(first, last)).toBeLessThan(20)
})
