import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { FastifyInstance } from 'fastify'
import { registrationPages } from '../permissions.ts'
import { type PageDependencies, pageHandler, pagesOf } from './pages.ts'

const PASSED_HEADERS = ['accept-language']

/** The pages on which anybody registers. The partners service answers them (docs/registration.md). */
export function registrationPageRoutes(app: FastifyInstance, bus: Bus, { limiter, gateOf }: PageDependencies): void {
  const gate = gateOf(registrationPages, registrationPages.actions.handle)
  const handler = pageHandler({ limiter, gate, headers: PASSED_HEADERS, handle: pagesOf(bus, registrationPages) })
  app.route({ method: ['GET', 'POST'], url: '/register/:event_id/:guest_category_id', onRequest: gate.hook, handler })
}
