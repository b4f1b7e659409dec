import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import type { Action, Scope } from '@gatehouse/proto/declaring/resource.ts'

/**
 * What a request is for, the most important first. `door`: scan, sign, look up one thing that a door needs. `single`: whatever else reads or
 * changes one thing, and what door devices ask in bulk. `bulk`: lists with pages, exports, batches, files, and what may take long.
 */
export const works = ['door', 'single', 'bulk'] as const
export type Work = (typeof works)[number]

/** What a request for an action is for; `scope` is that of its token, if it has one. */
export function workOf(action: Action, scope?: Scope): Work {
  if (isBulk(action)) return scope === 'door' ? 'single' : 'bulk'
  return action.scope === 'door' ? 'door' : 'single'
}

function isBulk({ batch, upload, reply, query, longestMs }: Action): boolean {
  const isPaged = query?.properties.per_page !== undefined
  return (
    batch === true ||
    upload !== undefined ||
    longestMs !== undefined ||
    (isPaged && kindOf(reply as SchemaNode) === 'array')
  )
}
