import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { StreamPermissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { addStream, managerOf, observeQueue } from '@gatehouse/proto/events/streams.ts'
import { AckPolicy, type Consumer, DiscardPolicy, jetstream, RetentionPolicy } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { PartnerKey } from '../../campaigns/partners/usage-store.ts'

/*
 * The queue of turns: a JetStream work queue that holds at most one message for each partner. Whoever takes it sends a few of the partner's
 * e-mails, and the partner's next turn is at the end of the queue. So a partner with very many e-mails delays another's by a few turns
 * (docs/adr/0008). The queue only distributes the work: turns that it lost, or never got, are put into it again by the partners service.
 */

/** A partner's turn. */
export interface Turn {
  event_id: string
  partner_id: string
}

/** The e-mails of a turn. A partner waits for as many turns as others have e-mails waiting, so a turn is short. */
export const TURN = 20
/** The durable consumer of the workers. */
export const WORKERS = 'workers'
/** Redelivers a turn after this long without a heartbeat. */
export const ACK_WAIT_MS = 10_000
const STORED_WITHIN_MS = 2_000

/** Permissions of a process that queues turns. */
export const TURNS = { stream: 'mail', creates: true, publishes: 'work.mail.*' } satisfies StreamPermissions

function streamOf(bus: Bus): string {
  return `${bus.namespace}_mail`
}

function subjectOf(bus: Bus, partner_id: string): string {
  return `${bus.namespace}.work.mail.${partner_id}`
}

/** Creates the queue unless it exists. Throws when JetStream does not answer. */
async function prepareTurns(bus: Bus): Promise<void> {
  await addStream(bus, {
    name: streamOf(bus),
    subjects: [subjectOf(bus, '*')],
    retention: RetentionPolicy.Workqueue,
    // A partner whose turn is waiting or at work gets no second one.
    max_msgs_per_subject: 1,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
  })
}

/** Puts a partner's turn at the end of the queue, unless it has one there. Rejects also then. */
export function offerTurn(bus: Bus, turn: Turn): Promise<void> {
  return bus.store(subjectOf(bus, turn.partner_id), Buffer.from(JSON.stringify(turn)), STORED_WITHIN_MS)
}

/**
 * The partners service's end of the queue: puts a partner's turn at its end unless it has one. Never rejects: while JetStream is away nothing
 * is sent, and the upkeep offers the turn again.
 */
export function turnOfferer(bus: Bus): (partner: PartnerKey) => Promise<void> {
  let isPrepared = false
  return async ({ _id, event_id }) => {
    try {
      if (!isPrepared) await prepareTurns(bus)
      isPrepared = true
      await offerTurn(bus, { event_id, partner_id: _id })
    } catch {
      // Most often the partner has its turn already. If the queue was lost, it is created by the mail service.
    }
  }
}

/** The workers' end of the queue. */
export async function openTurns(bus: Bus): Promise<Consumer> {
  await prepareTurns(bus)
  const manager = await managerOf(bus)
  await manager.consumers.add(streamOf(bus), {
    durable_name: WORKERS,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
  })
  return jetstream(bus.connection).consumers.get(streamOf(bus), WORKERS)
}

/** Lets metrics show how many turns wait, and for how long. */
export function observeTurns(bus: Bus): void {
  observeQueue('mail', bus, streamOf(bus), WORKERS)
}
