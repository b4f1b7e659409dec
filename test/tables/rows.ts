import { resources } from '@gatehouse/gateway/gateway'
import { liveAction } from '@gatehouse/gateway/live'
import { routesOf } from '@gatehouse/proto/declaring/resource.ts'
import type { ActionRow } from './world.ts'

/** Every action that has a route, besides the live feed. */
export const all: ActionRow[] = resources.flatMap((resource) =>
  Object.entries(resource.actions).flatMap(([name, action]) => {
    const method = routesOf(action)?.method
    return method ? [{ resource, name, action, method }] : []
  }),
)

const events = resources.find(({ many }) => many === 'events') as ActionRow['resource']

/** The live feed, which the gateway itself answers. */
export const live: ActionRow = { resource: events, name: 'live', action: liveAction, method: 'GET' }
