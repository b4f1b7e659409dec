import {
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type SeqMsgRequest,
  StorageType,
  type StoredMsg,
  type StreamConfig,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'
import { instruments, observeGauges } from '../telemetry/metrics.ts'

/** How long a stream keeps its messages. */
export const KEPT_MS = 24 * 3_600_000
/** How long a stream remembers message ids: a message that is published twice within is stored once. */
export const DEDUPE_MS = 20 * 60_000
/** How often gateways report that an event is still watched, in ms. */
export const WATCH_EVERY_MS = 3_600_000
/** The type of a `live` item that tells a returning client that items may be missing for good. */
export const RESET = 'reset'
const TIMEOUT_MS = 3_000
/** JetStream's error for a stream that exists with other settings. */
const EXISTS = 10_058

/** `domain`: domain events as services publish them. `live`: their items for watched events, after a check that they are true. */
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

/** Creates one of the two streams unless it exists. Throws when JetStream does not answer. */
export async function prepareStream(bus: Bus, name: StreamName): Promise<void> {
  await addStream(bus, {
    name: streamNameOf(bus, name),
    subjects: [subjectIn(bus, name, '*')],
    max_age: nanos(KEPT_MS),
    duplicate_window: nanos(DEDUPE_MS),
  })
}

/**
 * Creates a stream on disk unless it exists. One that exists keeps its number of replicas: only operators may change streams, since whoever may
 * could let one collect what others are asked.
 */
export async function addStream(bus: Bus, config: Partial<StreamConfig> & { name: string }): Promise<void> {
  const { streams } = await managerOf(bus)
  const num_replicas = bus.streamReplicas
  try {
    await streams.add({ ...config, storage: StorageType.File, num_replicas })
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === EXISTS)) throw error
    const { config: known } = await streams.info(config.name)
    if (known.num_replicas === num_replicas) throw error
  }
}

/** Lets metrics show how many messages wait for a consumer or are in work, and how old the oldest is. All its processes show the same. */
export function observeQueue(queue: 'mail' | 'hooks' | 'badges', bus: Bus, stream: string, consumer: string): void {
  observeGauges([instruments.queueDepth, instruments.queueAge], { queue }, async () => {
    const { consumers, streams } = await managerOf(bus)
    const { num_pending, num_ack_pending, ack_floor } = await consumers.info(stream, consumer)
    const depth = num_pending + num_ack_pending
    if (depth === 0) return [0, 0]
    const oldest = await streams.getMessage(stream, nextAt(ack_floor.stream_seq + 1, '>'))
    return [depth, oldest ? Math.max(0, Date.now() - oldest.time.getTime()) / 1_000 : 0]
  })
}

/** The first message of an event from a sequence on; null if there is none. */
export async function nextMessage(
  bus: Bus,
  name: StreamName,
  event_id: string,
  seq: number,
): Promise<StoredMsg | null> {
  const { streams } = await managerOf(bus)
  return streams.getMessage(streamNameOf(bus, name), nextAt(seq, subjectIn(bus, name, event_id)))
}

/** Asks for the first message from a sequence on; the client's type has only half of it. */
function nextAt(seq: number, next_by_subj: string): SeqMsgRequest {
  return { seq, next_by_subj } as SeqMsgRequest
}
