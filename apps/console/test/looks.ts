import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** How long a page may take to follow another width of its window. */
const SETTLES_MS = 5_000
const LOOK_EVERY_MS = 50
/** How long a picture waits for what a page shows a moment later. */
const FOLLOWS_MS = 1_000
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The violations of WCAG 2.2 AA in what a page shows now. */
export async function violationsOf(page: Page): Promise<string[]> {
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] })
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source)
  return page.evaluate(`axe.run(${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200))))`)
}

/** By how many pixels a page is wider than windows of these widths. */
export async function overflowAt(page: Page, widths: readonly number[]): Promise<number[]> {
  const wider: number[] = []
  let beyond: number[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    // What follows the width of the window, as a preview does, is there a moment later.
    for (let left = SETTLES_MS; left >= 0; left -= LOOK_EVERY_MS) {
      beyond = await page
        .locator('html, main')
        .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth).filter((pixels) => pixels > 0))
      if (beyond.length === 0) break
      await page.waitForTimeout(LOOK_EVERY_MS)
    }
    wider.push(...beyond)
  }
  return wider
}

/** Keeps a picture of a whole page, however far it is scrolled. */
export async function keepPicture(page: Page, path: string): Promise<void> {
  const size = page.viewportSize()
  // Names, notes and previews follow the page.
  await page.waitForTimeout(FOLLOWS_MS)
  await page.locator('.bone').first().waitFor({ state: 'detached' })
  const hidden = await page.locator('main').evaluate((main) => main.scrollHeight - main.clientHeight)
  if (size) await page.setViewportSize({ ...size, height: size.height + hidden })
  await page.screenshot({ path, animations: 'disabled' })
  if (size) await page.setViewportSize(size)
}
