import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { StreamPermissions } from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { addStream, managerOf, observeQueue } from '@gatehouse/proto/events/streams.ts'
import { AckPolicy, type Consumer, DiscardPolicy, jetstream, RetentionPolicy } from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'

/** A send job of a partner, or of a mailing in its place: to send one batch of its e-mails. */
export interface SendJob {
  event_id: string
  partner_id: string
  of?: 'mailing'
  /** Which of the partner's jobs this is; absent for the first one. */
  lane?: number
}

/** The e-mails of a batch. A partner waits for as many batches as others have e-mails waiting, so a batch is small. */
export const BATCH_SIZE = 20
/** Batches of one partner that are sent at once while nobody has few e-mails waiting: fewer than a process works on, so that others find a free place. */
export const LANES = 3
/** How many due e-mails a lane leaves to the lanes before it. */
export const leftBy = (lane = 0): number => lane * BATCH_SIZE
/** The durable consumer of the workers. */
export const WORKERS = 'workers'
/** Redelivers a job after this long without a heartbeat. */
export const ACK_WAIT_MS = 10_000
const STORED_WITHIN_MS = 2_000

/** Permissions of a process that queues send jobs. */
export const SEND_QUEUE = { stream: 'mail', creates: true, publishes: 'work.mail.*' } satisfies StreamPermissions

/**
 * The queue of send jobs: a JetStream work queue that holds at most one message for each lane of a partner. Whoever takes it sends a batch of
 * the partner's e-mails, and the lane's next job joins the end of the queue. So a partner with very many e-mails delays another's by a few
 * batches (docs/adr/0008). The queue only distributes the work: the partners service queues jobs again that it lost, or never got.
 */
export class SendQueue {
  readonly #bus: Bus
  readonly #stream: string
  readonly #of: SendJob['of']
  #isPrepared = false

  /** Jobs that are added are those of partners, or of mailings. */
  constructor(bus: Bus, of?: SendJob['of']) {
    this.#bus = bus
    this.#of = of
    this.#stream = `${bus.namespace}_mail`
  }

  /**
   * Adds a job to the end of the queue, unless its lane has one. Never rejects: while JetStream is away nothing is sent, and maintenance adds
   * the first lane's job later.
   */
  async add(job: SendJob): Promise<void> {
    try {
      await this.#prepare()
      await this.#bus.store(
        this.#subjectOf(job),
        Buffer.from(JSON.stringify(this.#of ? { ...job, of: this.#of } : job)),
        STORED_WITHIN_MS,
      )
    } catch {
      // Most often the lane has a job already. If the queue was lost, the mail service creates it.
    }
  }

  /** The workers' end of the queue. Creates the queue unless it exists. Throws when JetStream does not answer. */
  async consumer(): Promise<Consumer> {
    this.#isPrepared = false
    await this.#prepare()
    const manager = await managerOf(this.#bus)
    await manager.consumers.add(this.#stream, {
      durable_name: WORKERS,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
    })
    return jetstream(this.#bus.connection).consumers.get(this.#stream, WORKERS)
  }

  /** Lets metrics show how many jobs wait, and for how long. */
  observe(): void {
    observeQueue('mail', this.#bus, this.#stream, WORKERS)
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared) return
    await addStream(this.#bus, {
      name: this.#stream,
      subjects: [this.#subjectOf({ partner_id: '*' })],
      retention: RetentionPolicy.Workqueue,
      // A lane whose job is waiting or in progress gets no second one.
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
    })
    this.#isPrepared = true
  }

  #subjectOf({ partner_id, lane = 0 }: Pick<SendJob, 'partner_id' | 'lane'>): string {
    const first = `${this.#bus.namespace}.work.mail.${partner_id}`
    return lane === 0 ? first : `${first}-${lane}`
  }
}
