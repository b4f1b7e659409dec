import { build, type Rolldown } from 'vite'
import { declaredLists } from './declared.ts'

/** A module of an app with all that it imports, as a script for a test to run in a page. What the module exports is then `built`. */
export async function scriptOf(module: string): Promise<string> {
  const [made] = (await build({
    configFile: false,
    logLevel: 'warn',
    define: { __DECLARED__: JSON.stringify(await declaredLists()) },
    build: { write: false, minify: false, lib: { entry: module, formats: ['iife'], name: 'built' } },
  })) as Rolldown.RolldownOutput[]
  if (!made) throw new Error(`${module} was not built`)
  return made.output[0].code
}
