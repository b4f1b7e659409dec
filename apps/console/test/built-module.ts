import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'
import { declaredLists, putIn } from '../../declared.ts'
import { guidesAsHtml } from '../../guides.ts'

/**
 * The value of an expression in which `built` is a module of the console, evaluated in a browser, which alone can read a view. The module finds
 * the `declared` lists; without these, those of the API.
 */
export async function evaluateBuilt<T>(
  page: Page,
  module: string,
  expression: string,
  declared?: Awaited<ReturnType<typeof declaredLists>>,
): Promise<T> {
  const [made] = (await build({
    configFile: false,
    plugins: [guidesAsHtml()],
    logLevel: 'error',
    define: putIn(declared ?? (await declaredLists())),
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, '../src', module), formats: ['iife'], name: 'built' },
    },
  })) as Rolldown.RolldownOutput[]
  if (!made) throw new Error(`${module} was not built`)
  return page.evaluate<T>(`${made.output[0].code}; ${expression}`)
}
