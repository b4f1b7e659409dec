import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { handle } from './handle.ts'
import type { consolePages } from './resource.ts'

/** Returns the handlers of what the console needs besides the API. */
export function consoleHandlers(dependencies: ConsoleDependencies): Handlers<typeof consolePages> {
  return handlersOf<typeof consolePages, ConsoleDependencies>({ handle }, dependencies)
}
