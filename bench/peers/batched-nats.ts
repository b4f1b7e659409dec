import { natsOptions } from '@gatehouse/proto/bus/bus.ts'
import { connect, type NatsConnection } from '@nats-io/transport-node'

/** A connection to NATS as a service has it. */
export async function connectNats(): Promise<NatsConnection> {
  return connect({ ...natsOptions(process.env.NATS_URL ?? ''), noAsyncTraces: true })
}

/** Publishes what comes in one turn of the event loop together: a single write to the socket. */
export function batching(connection: NatsConnection): (subject: string, payload: Uint8Array, reply?: string) => void {
  let waiting: (() => void)[] = []
  return (subject, payload, reply) => {
    const publish = (): void => connection.publish(subject, payload, reply === undefined ? {} : { reply })
    if (waiting.push(publish) > 1) return
    setImmediate(() => {
      const turn = waiting
      waiting = []
      for (const each of turn) each()
    })
  }
}
