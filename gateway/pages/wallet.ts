import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { FastifyInstance } from 'fastify'
import { walletPages } from '../permissions.ts'
import { answerWith, type PageDependencies, pageHandler, pagesOf } from './pages.ts'

const PASSED_HEADERS = ['authorization', 'if-modified-since']

/** What phones and browsers ask about wallet passes. The badges service answers them (docs/wallet-passes.md). */
export function walletRoutes(app: FastifyInstance, bus: Bus, { limiter, gateOf }: PageDependencies): void {
  const gate = gateOf(walletPages, walletPages.actions.handle)
  const handler = pageHandler({
    limiter,
    gate,
    headers: PASSED_HEADERS,
    handle: pagesOf(bus, walletPages),
    isGuess: ({ status }) => status === 401 || status === 404,
    send: (reply, { body, ...rest }) =>
      answerWith(reply, rest, body === null ? undefined : Buffer.from(body, 'base64')),
  })
  app.route({ method: ['GET', 'POST', 'DELETE'], url: '/api/v1/wallet/:event_id/*', onRequest: gate.hook, handler })
}
