import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BodyBudget, PAGE_BODIES } from './body-budget.ts'
import type { Limiter } from './limits.ts'
import { answerWith, webRequestOf } from './pages.ts'
import { invitationPages } from './permissions.ts'
import { traceparentOf } from './request.ts'

const PASSED_HEADERS = ['accept-language']

/** The pages of an invitation, which its e-mail links to. The partners service answers them (docs/invitations.md). */
export function invitationPageRoutes(app: FastifyInstance, bus: Bus, limiter: Limiter): void {
  const client = clientOf(bus, invitationPages)
  const budget = new BodyBudget(PAGE_BODIES)
  for (const url of ['/rsvp/:invitation_id/:secret', '/rsvp/:invitation_id/:secret/unsubscribe']) {
    app.route({ method: ['GET', 'POST'], url, handler })
  }

  async function handler(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // The original URL still has its suffix.
    const body = await webRequestOf(request, { url: request.originalUrl, headers: PASSED_HEADERS, budget })
    const traceparent = traceparentOf(request.headers.traceparent)
    return limiter.guessing(request, () => answerWith(request, reply, ask()))

    async function ask(): ReturnType<typeof client.handle> {
      const answer = await client.handle({ body, traceparent })
      if (answer.status === 404) limiter.guessed(request, reply)
      return answer
    }
  }
}
