import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { occurredAt, reasonOf } from '../mail-events/reasons.ts'
import type { FeedbackEvent } from '../mail-events/recording.ts'

/** An event that a provider reports. */
export interface FeedbackReport {
  /** Undefined if it is of an e-mail that is not an invitation's. */
  invitation_id: string | undefined
  /** Of an e-mail's return, which may name several recipients: what it says of the one who was invited, by the address of the invitation. */
  event: FeedbackEvent | ((invited: string) => FeedbackEvent | undefined)
}

/** What a provider's events are read from. */
export interface ProviderCall {
  headers: ReadonlyMap<string, string>
  recipient: string | null
  body: Buffer
}

/** Reads the events of a provider. Throws `unauthorized` unless they are the provider's. */
export type Adapter = (call: ProviderCall) => FeedbackReport[] | Promise<FeedbackReport[]>

interface ReportedDetails {
  /** Of a bounce; hard unless given. */
  isHard?: boolean
  reason?: unknown
  at?: unknown
}

/** An event with what a provider says of it; what is not of the expected type counts as not given. */
export function eventOf(type: FeedbackEvent['type'], { isHard = true, reason, at }: ReportedDetails): FeedbackEvent {
  const time = typeof at === 'number' ? new Date(at * 1_000) : new Date(typeof at === 'string' ? at : Number.NaN)
  return {
    type,
    isHard,
    reason: reasonOf(typeof reason === 'string' ? reason : null),
    occurred_at: occurredAt(time),
  }
}

/** A JSON object, whose members may be anything. */
export type Json = Record<string, unknown>

/** A value as an object; an empty one if it is none. */
export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

/** A value as a text; an empty one if it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Signs by which values of JSON begin or are separated. */
const STRUCTURE = ['[', '{', ','].map((sign) => sign.charCodeAt(0))

/** Throws `malformed` for JSON that may have more than so many values: to parse 1 MiB of them takes 50 ms. */
export function requireFewValues(body: Buffer, most: number): void {
  for (const sign of STRUCTURE) {
    for (let at = body.indexOf(sign), count = 1; at >= 0; at = body.indexOf(sign, at + 1), count++) {
      if (count > most) throw new Fault('malformed', 'The body has too many values')
    }
  }
}

/** Reads a body as JSON. Throws `malformed` if it is none. */
export function jsonOf(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new Fault('malformed')
  }
}
