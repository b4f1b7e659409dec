import type { DeclaredList } from '../../../declaration.ts'

export { type DeclaredField, type Kind, mapped, type Role } from '../../../declaration.ts'

// The build puts it in, from the API document.
declare const __DECLARED__: Record<string, DeclaredList>
// Kept, or the build would make it anew at each use.
let declared: Record<string, DeclaredList> | undefined

/** What the API declares of the list with this path. */
export function declaredOf(path: string): DeclaredList {
  declared ??= __DECLARED__
  const found = declared[path]
  if (!found) throw new Error(`The API has no list ${path}`)
  return found
}
