import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import type { Action, Scope } from '@gatehouse/proto/declaring/resource.ts'

/**
 * What a request is for, the most important first. `door`: scan, sign, look up one thing that a door needs. `single`: whatever else reads or
 * changes one thing, what door devices ask in bulk, and the beginning of a live feed. `page`: pages for people, and whatever else strangers ask
 * without a token of the API. `bulk`: lists with pages, exports, batches, files, and what may take long.
 */
export const works = ['door', 'single', 'page', 'bulk'] as const
export type Work = (typeof works)[number]

/** What a request for an action is for; `scope` is that of its token, if it has one. */
export function workOf(action: Action, scope?: Scope): Work {
  // Actions without a route answer pages.
  if (action.route === undefined && action.upload === undefined) return 'page'
  if (isBulk(action)) return scope === 'door' ? 'single' : 'bulk'
  return action.scope === 'door' ? 'door' : 'single'
}

function isBulk({ batch, upload, parts, reply, query, longestMs }: Action): boolean {
  const isPaged = query?.properties.per_page !== undefined
  return (
    batch === true ||
    upload !== undefined ||
    parts === true ||
    longestMs !== undefined ||
    (isPaged && kindOf(reply as SchemaNode) === 'array')
  )
}
