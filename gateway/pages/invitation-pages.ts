import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { FastifyInstance } from 'fastify'
import { invitationPages } from '../permissions.ts'
import { type PageDependencies, pageHandler, pagesOf } from './pages.ts'

const PASSED_HEADERS = ['accept-language']

/** The pages of an invitation, which its e-mail links to. The partners service answers them (docs/invitations.md). */
export function invitationPageRoutes(app: FastifyInstance, bus: Bus, { limiter, gateOf }: PageDependencies): void {
  const gate = gateOf(invitationPages, invitationPages.actions.handle)
  const handler = pageHandler({ limiter, gate, headers: PASSED_HEADERS, handle: pagesOf(bus, invitationPages) })
  for (const url of ['/rsvp/:invitation_id/:secret', '/rsvp/:invitation_id/:secret/unsubscribe']) {
    app.route({ method: ['GET', 'POST'], url, onRequest: gate.hook, handler })
  }
}
