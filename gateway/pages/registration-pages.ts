import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { FastifyInstance } from 'fastify'
import { registrationPages } from '../permissions.ts'
import { type PageDependencies, pageHandler } from './pages.ts'

const PASSED_HEADERS = ['accept-language']

/** The pages on which anybody registers. The partners service answers them (docs/registration.md). */
export function registrationPageRoutes(app: FastifyInstance, bus: Bus, { limiter, gateOf }: PageDependencies): void {
  const client = clientOf(bus, registrationPages)
  const gate = gateOf(registrationPages, registrationPages.actions.handle)
  const handler = pageHandler({ limiter, gate, headers: PASSED_HEADERS, handle: client.handle })
  app.route({ method: ['GET', 'POST'], url: '/register/:event_id/:guest_category_id', onRequest: gate.hook, handler })
}
