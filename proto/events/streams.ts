import { type JetStreamManager, jetstreamManager, StorageType } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'

/** How long what happened is kept in a stream. */
export const KEPT_MS = 24 * 3_600_000
/** How long a stream knows the message ids that it has seen: what is published twice within is stored once. */
export const DEDUPE_MS = 20 * 60_000
/** How often gateways say that somebody still watches an event, in ms. */
export const WATCH_EVERY_MS = 3_600_000
/** The type of an item of `live` that tells who comes back that some of what it missed may be missing for good. */
export const RESET = 'reset'
/** How long JetStream may take for an answer. */
const TIMEOUT_MS = 3_000

/** `domain`: what happened, as services tell it. `live`: what was found to be true of it, for those who watch an event. */
export type StreamName = 'domain' | 'live'

/** The name of a system's stream in JetStream. */
export function streamNameOf(bus: Bus, name: StreamName): string {
  return `${bus.namespace}_${name}`
}

/** The subject of an event in a stream: `<namespace>.domain.<event_id>`. */
export function subjectIn(bus: Bus, name: StreamName, event_id: string): string {
  return `${bus.namespace}.${name}.${event_id}`
}

/** JetStream's management, on the bus's connection. */
export function managerOf(bus: Bus): Promise<JetStreamManager> {
  return jetstreamManager(bus.connection, { checkAPI: false, timeout: TIMEOUT_MS })
}

/** Makes a stream where it is missing. Throws when JetStream does not answer. */
export async function prepareStream(bus: Bus, name: StreamName): Promise<void> {
  const manager = await managerOf(bus)
  await manager.streams.add({
    name: streamNameOf(bus, name),
    subjects: [subjectIn(bus, name, '*')],
    storage: StorageType.File,
    max_age: nanos(KEPT_MS),
    duplicate_window: nanos(DEDUPE_MS),
  })
}
