import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { shared } from '@gatehouse/proto/concurrency/shared.ts'
import type { FastifyInstance } from 'fastify'
import { contentTypes } from './answers.ts'

const BUDGET_MS = 1_000

/** Whether each service answers, and its stores with it. */
export type Health = () => Promise<Record<string, boolean>>

/** Asks every service for its health over the bus. Concurrent probes share one lookup. */
export function healthOf(bus: Bus, services: string[]): Health {
  return shared(async () => {
    const answers = await Promise.allSettled(
      services.map((service) => bus.call(`${service}.health`, { budget: BUDGET_MS })),
    )
    return Object.fromEntries(services.map((service, index) => [service, answers[index]?.status === 'fulfilled']))
  })
}

/** `/livez`: 200 while the process runs. `/readyz`: 200 if every service answers, else 503; the body says which do. */
export function healthRoutes(app: FastifyInstance, health: Health): void {
  app.get('/livez', async (_request, reply) => reply.type(contentTypes.json).send('{"status":"ok"}'))
  app.get('/readyz', async (_request, reply) => {
    const services = await health()
    const ready = Object.values(services).every(Boolean)
    reply.code(ready ? 200 : 503).type(contentTypes.json)
    if (!ready) reply.header('retry-after', 1)
    return reply.send(JSON.stringify({ status: ready ? 'ok' : 'unavailable', services }))
  })
}
