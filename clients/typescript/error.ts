import type { FieldErrors } from './openapi.ts'

/** What each refusal means, by status. A status that is not here comes from something between the client and Gatehouse. */
export const errorCodes = {
  400: 'malformed',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  406: 'not_acceptable',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported',
  422: 'invalid',
  429: 'too_many',
  503: 'unavailable',
} as const

/** The kind of a refusal; `unanswered` if no answer came in time. */
export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes] | 'unanswered' | 'unknown'

/** What exactly is wrong: a code of the API document's `ErrorCode`, and the values that its sentence has. */
export interface Coded {
  code: string
  values?: Record<string, string | number>
}

interface Details {
  errors?: FieldErrors
  codes?: Record<string, Coded[]>
  reason?: Coded | undefined
  retryAfter?: number | undefined
  cause?: unknown
}

/** A request that was refused, or got no answer. */
export class GatehouseError extends Error {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  readonly code: ErrorCode
  /** The wrong fields of a request that is `invalid`, otherwise empty. */
  readonly errors: FieldErrors
  /** The same as codes: `{last_name: [{code: 'blank'}]}`. */
  readonly codes: Record<string, Coded[]>
  /** What stands in the way of a request that is a `conflict`, where it has a code. */
  readonly reason: Coded | undefined
  /** Seconds after which another try may succeed, if the answer says so. */
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, details: Details = {}) {
    const { errors = {}, codes = {}, reason, retryAfter, cause } = details
    super(message, { cause })
    this.name = 'GatehouseError'
    this.status = status
    this.code = status === 0 ? 'unanswered' : (errorCodes[status as keyof typeof errorCodes] ?? 'unknown')
    this.errors = errors
    this.codes = codes
    this.reason = reason
    this.retryAfter = retryAfter
  }
}

/** A refusal as JSON: RFC 9457's problem, or what a server without it sends. */
interface Refused extends Partial<Coded> {
  error?: string
  detail?: string
  errors?: FieldErrors
  codes?: Record<string, Coded[]>
}

/** The error of an answer that is a refusal; `body` is what it says, as JSON. */
export function refusal(answer: Response, body: unknown): GatehouseError {
  const { error, detail = error, errors = {}, codes = {}, code, values } = (body ?? {}) as Refused
  const wrong = Object.entries(errors).map(([field, messages]) => `${field} ${messages.join(' and ')}`)
  const message = wrong.join(', ') || (detail ?? `The answer is ${answer.status}`)
  const kind = errorCodes[answer.status as keyof typeof errorCodes]
  const reason = code === undefined || code === kind ? undefined : { code, ...(values && { values }) }
  return new GatehouseError(answer.status, message, { errors, codes, reason, retryAfter: retryAfterOf(answer) })
}

/** The seconds of an answer's `Retry-After`. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  return seconds >= 0 ? seconds : undefined
}
