import { MAX_BYTES, PROOF_HEADERS, providers } from '@gatehouse/partners/mail-feedback'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Fault, toFault } from '@gatehouse/proto/declaring/faults.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tellCells } from '../admission/strangers.ts'
import { readBytes } from '../forwarding/bodies.ts'
import { BodyBudget, type BodyShare, PAGE_BODIES } from '../forwarding/body-budget.ts'
import { traceparentOf } from '../http/request.ts'
import { mailFeedback } from '../permissions.ts'
import type { PageDependencies } from './pages.ts'

/**
 * Where mail providers report what became of e-mails: they have no token, but prove who they are, often by a signature over the exact bytes of
 * the body. The partners service checks it (docs/mail-feedback.md).
 */
export function mailFeedbackRoutes(app: FastifyInstance, bus: Bus, { limiter, gateOf }: PageDependencies): void {
  const gate = gateOf(mailFeedback, mailFeedback.actions.receive)
  const budget = new BodyBudget(PAGE_BODIES)
  for (const provider of providers) {
    app.route({
      method: 'POST',
      url: `/api/v1/mail_events/${provider}`,
      onRequest: gate.hook,
      handler: async (request, reply) => {
        const traceparent = traceparentOf(request.headers.traceparent)
        const receive = async (body: Awaited<ReturnType<typeof requestOf>>) => {
          try {
            await tellCells(bus, (cell) => clientOf(cell, mailFeedback).receive({ body, traceparent }))
          } catch (error) {
            // Whatever is not taken may be a guess, also what cannot be checked now: the message itself names where its certificate is.
            limiter.guessed(request, reply)
            const { code } = toFault(error)
            // The same answer as for any other path that there is not.
            if (code === 'not_found') throw new Fault('not_found', `There is no such path for ${request.method}`)
            throw error
          }
        }
        await budget.sharing(request, async (share) => {
          const body = await requestOf(request, provider, share)
          await limiter.guessing(request, () => gate.admit(request, () => receive(body)))
        })
        return reply.send('')
      },
    })
  }

  async function requestOf(request: FastifyRequest, provider: (typeof providers)[number], share: BodyShare) {
    const bytes = await readBytes(request, MAX_BYTES, () => share)
    const { recipient } = request.query as { recipient?: unknown }
    return {
      provider,
      headers: PROOF_HEADERS.flatMap((name) => {
        const value = request.headers[name]
        return typeof value === 'string' && value !== '' ? [{ name, value }] : []
      }),
      recipient: typeof recipient === 'string' ? recipient.slice(0, 1_000) : null,
      body: bytes.toString('base64'),
    }
  }
}
