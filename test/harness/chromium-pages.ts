import type { Page } from 'playwright-core'

/** An element in a browser. */
interface Shown {
  outerHTML: string
  getBoundingClientRect(): { left: number; right: number }
}

/** The beginnings of a page's elements that reach beyond its window. */
export async function overflowing(page: Page): Promise<string[]> {
  const { width = 0 } = page.viewportSize() ?? {}
  return page.locator('body *').evaluateAll(
    (all: Shown[], width: number) =>
      all.flatMap((each) => {
        const { left, right } = each.getBoundingClientRect()
        return left < 0 || right > width ? [each.outerHTML.slice(0, 80)] : []
      }),
    width,
  )
}
