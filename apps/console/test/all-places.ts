import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { declaredLists } from '../../declared.ts'

/** The places of all pages by the console's own list, which a browser alone can read: its views are scripts for one. */
export async function allPlacesIn(page: Page): Promise<string[]> {
  const script = await scriptOf(join(import.meta.dirname, '../src/view/all-places.ts'))
  const places = await page.evaluate<string[][]>(`${script}; built.allPlaces`)
  return [...new Set(places.map((segments) => segments.join('/')))]
}

/** A module of an app with all that it imports, as a script for a test to run in a page. What the module exports is then `built`. */
async function scriptOf(module: string): Promise<string> {
  const [made] = (await build({
    configFile: false,
    logLevel: 'warn',
    define: { __DECLARED__: JSON.stringify(await declaredLists()) },
    build: { write: false, minify: false, lib: { entry: module, formats: ['iife'], name: 'built' } },
  })) as Rolldown.RolldownOutput[]
  if (!made) throw new Error(`${module} was not built`)
  return made.output[0].code
}
