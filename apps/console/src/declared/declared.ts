import type { DeclaredList } from '../../../declaration.ts'

export { type DeclaredField, type Kind, mapped, type Role } from '../../../declaration.ts'

// The build puts it in, from the API document.
declare const __DECLARED__: Record<string, DeclaredList>
// Named once, or the build would make it anew at each use.
const declared = __DECLARED__

/** What the API declares of the list with this path. */
export function declaredOf(path: string): DeclaredList {
  const found = declared[path]
  if (!found) throw new Error(`The API has no list ${path}`)
  return found
}
