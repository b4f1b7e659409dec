import axe from 'axe-core'
import type { Page } from 'playwright-core'

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
  const wider = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    wider.push(
      ...(await page
        .locator('html, main')
        .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth))),
    )
  }
  return wider.filter((pixels) => pixels > 0)
}
