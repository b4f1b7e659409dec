import type { Log } from '@gatehouse/proto/process/log.ts'
import { instruments } from '@gatehouse/proto/telemetry/metrics.ts'
import { contextOf, failSpan, inSpan } from '@gatehouse/proto/telemetry/tracing.ts'
import { type Span, SpanKind } from '@opentelemetry/api'
import type { Secrets, WebhookSecretStore } from '../webhook-secrets/store.ts'
import { signedHeaders } from './signing.ts'
import { type DeliveryStore, idsOf, type StoredDelivery } from './store.ts'
import type { DeliveryResponse, WebhookClient } from './webhook-client.ts'

/** The target of a delivery: an address, or the reason why there is none. */
export type DeliveryTarget = { url: string } | { gone: string }

/** Looks up targets of deliveries, and disables receivers that are gone. */
export interface Targets {
  of(delivery: StoredDelivery): Promise<DeliveryTarget>
  /** The receiver answered 410. */
  leave(delivery: StoredDelivery): Promise<void>
}

export interface AttemptOptions {
  store: DeliveryStore
  secrets: WebhookSecretStore
  webhookClient: WebhookClient
  targets: Targets
  /** Minimal delays after the first attempt, the second, …, in ms. A delivery is given up after one attempt more than delays. */
  delays: readonly number[]
  log: Log
}

/** Concurrent requests to one receiver. */
const WIDE = 4
const GONE = 410
/** Delays are longer by up to this fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.2

/** How long all attempts can take after delays in ms. */
export function longestOf(delays: number[]): number {
  return delays.reduce((sum, delay) => sum + delay * (1 + JITTER), 0)
}

/** Sends deliveries to their receiver and stores the outcomes. */
export class Attempts {
  readonly #options: AttemptOptions

  constructor(options: AttemptOptions) {
    this.#options = options
  }

  /**
   * Sends deliveries of one webhook under a claim and removes them from the list, until one fails, `forMs` have passed or the signal comes.
   * Returns whether all attempts succeeded. Throws if their target cannot be looked up.
   */
  async deliver(left: StoredDelivery[], claim: string, forMs: number, ended: AbortSignal): Promise<boolean> {
    const { store, targets, secrets } = this.#options
    const [first] = left as [StoredDelivery]
    const target = await targets.of(first)
    if ('gone' in target) {
      const attempt = { delivered: false, response_status: null, error: target.gone }
      await store.finish(idsOf(left.splice(0)), claim, attempt)
      return true
    }
    const signing = await secrets.of(first.account_id)
    const until = performance.now() + forMs
    const delivered = new Map<number, string[]>()
    let failed = false
    const walk = async (): Promise<void> => {
      while (!failed && !ended.aborted && performance.now() < until) {
        const delivery = left.shift()
        if (!delivery) return
        await inAttemptSpan(delivery, async (span) => {
          const outcome = await this.#send(delivery, target.url, signing)
          note(outcome, span)
          if (isTaken(outcome.response_status)) {
            const ids = delivered.get(outcome.response_status) ?? []
            delivered.set(outcome.response_status, ids)
            ids.push(delivery._id)
          } else {
            failed = true
            await this.#refused(delivery, claim, outcome)
          }
        })
      }
    }
    await Promise.all(Array.from({ length: Math.min(WIDE, left.length) }, walk))
    for (const [response_status, ids] of delivered)
      await store.finish(ids, claim, { delivered: true, response_status, error: null })
    return !failed
  }

  /** Stores when a failed delivery is retried, if at all. */
  async #refused(delivery: StoredDelivery, claim: string, { response_status, error }: DeliveryResponse): Promise<void> {
    const { store, targets, delays, log } = this.#options
    const { _id, webhook_id, attempt_count } = delivery
    const delay = response_status === GONE ? undefined : delays[attempt_count]
    const retry_at = delay === undefined ? undefined : new Date(Date.now() + varied(delay))
    await store.finish([_id], claim, { delivered: false, retry_at, response_status, error })
    if (response_status === GONE) await targets.leave(delivery)
    if (retry_at) instruments.retries.add(1, { kind: 'webhook' })
    log.info(
      { delivery_id: _id, webhook_id, attempt_count: attempt_count + 1, response_status, error },
      'not delivered',
    )
  }

  #send({ _id, event_type, payload }: StoredDelivery, url: string, secrets: Secrets): Promise<DeliveryResponse> {
    const headers = { ...signedHeaders(_id, new Date(), payload, secrets), 'gatehouse-event-type': event_type }
    return this.#options.webhookClient.post(url, headers, payload)
  }
}

/** Attempts a delivery in the trace of the request that it is about. The receiver's address may hold a secret: the span does not show it. */
function inAttemptSpan(
  { event_type, traceparent }: StoredDelivery,
  attempt: (span?: Span) => Promise<void>,
): Promise<void> {
  const attributes = { 'http.request.method': 'POST', 'gatehouse.event.type': event_type }
  return inSpan('POST', { kind: SpanKind.CLIENT, attributes }, contextOf({ traceparent }), attempt)
}

/** Shows the outcome of an attempt in metrics and in its span. */
function note({ response_status, error }: DeliveryResponse, span: Span | undefined): void {
  const isDelivered = isTaken(response_status)
  const outcome = response_status === null ? 'unanswered' : isDelivered ? 'delivered' : 'refused'
  instruments.webhookDeliveries.add(1, { outcome })
  if (response_status !== null) span?.setAttribute('http.response.status_code', response_status)
  if (!isDelivered && span) failSpan(span, error ?? String(response_status))
}

function isTaken(status: number | null): status is number {
  return status !== null && status >= 200 && status < 300
}

function varied(ms: number): number {
  return ms * (1 + JITTER * Math.random())
}
