import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { scriptOf } from '../../script.ts'

/** The places of all pages by the console's own list, which a browser alone can read: its views are scripts for one. */
export async function allPlacesIn(page: Page): Promise<string[]> {
  const script = await scriptOf(join(import.meta.dirname, '../src/view/all-places.ts'))
  const places = await page.evaluate<string[][]>(`${script}; built.allPlaces`)
  return [...new Set(places.map((segments) => segments.join('/')))]
}
