import { natsOptions } from '@gatehouse/proto/bus/connecting.ts'
import { connect, type NatsConnection } from '@nats-io/transport-node'

/** Connects to NATS with the options of a service. */
export async function connectNats(): Promise<NatsConnection> {
  return connect({ ...natsOptions(process.env.NATS_URL ?? ''), noAsyncTraces: true })
}

/** Returns a function that publishes all messages of one turn of the event loop together, in a single write to the socket. */
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
