import { natsOptions } from '@gatehouse/proto/bus/connecting.ts'
import { connect, type Msg, type NatsConnection, nuid } from '@nats-io/transport-node'
import type { BusCase } from './case.ts'

/** What comes back for a message. */
export interface BusAnswer {
  /** The code of a fault; undefined for a reply. */
  fault: string | undefined
  text: string
}

/** Whoever says anything on the bus: its user of NATS may do everything. */
export class BusClient {
  readonly #connection: NatsConnection
  readonly #namespace: string
  readonly #inbox: string
  readonly #waiting = new Map<string, (message: Msg) => void>()

  private constructor(connection: NatsConnection, namespace: string) {
    this.#connection = connection
    this.#namespace = namespace
    // Services may answer only to inboxes of their own system.
    this.#inbox = `_INBOX.${namespace}.fuzz.${nuid.next()}`
    connection.subscribe(`${this.#inbox}.*`, {
      callback: (_error, message) => this.#waiting.get(message.subject.slice(this.#inbox.length + 1))?.(message),
    })
  }

  static async connect(natsUrl: string, namespace: string): Promise<BusClient> {
    return new BusClient(await connect({ ...natsOptions(natsUrl), noAsyncTraces: true }), namespace)
  }

  /** The first answer to a message; if that asks for further parts, they are sent. Rejects without one within `deadlineMs`. */
  async send({ subject, payload, parts, answeredBy }: BusCase, deadlineMs: number): Promise<BusAnswer> {
    const to = `${this.#namespace}.${subject}`
    if (answeredBy === 'nobody') {
      this.#connection.publish(to, payload)
      await this.#connection.flush()
      return { fault: undefined, text: '' }
    }
    const id = nuid.next()
    const answered = Promise.withResolvers<Msg>()
    this.#waiting.set(id, answered.resolve)
    const late = setTimeout(() => answered.reject(new Error(`No answer after ${deadlineMs} ms`)), deadlineMs)
    try {
      this.#connection.publish(to, payload, { reply: `${this.#inbox}.${id}` })
      const { headers, data } = await answered.promise
      const rest = headers?.get('Gatehouse-Continue')
      for (const part of rest ? parts : []) this.#connection.publish(rest as string, part)
      const isAbsent = headers?.code === 503
      const fault = isAbsent ? 'no responders' : headers?.get('Nats-Service-Error') || undefined
      return { fault, text: Buffer.from(data).toString() }
    } finally {
      clearTimeout(late)
      this.#waiting.delete(id)
    }
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }
}
