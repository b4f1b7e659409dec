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

/** A request that was refused, or got no answer. */
export class GatehouseError extends Error {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  readonly code: ErrorCode
  /** The wrong fields of a request that is `invalid`, otherwise empty. */
  readonly errors: FieldErrors
  /** Seconds after which another try may succeed, if the answer says so. */
  readonly retryAfter: number | undefined

  constructor(status: number, message: string, errors: FieldErrors = {}, retryAfter?: number, cause?: unknown) {
    super(message, { cause })
    this.name = 'GatehouseError'
    this.status = status
    this.code = status === 0 ? 'unanswered' : (errorCodes[status as keyof typeof errorCodes] ?? 'unknown')
    this.errors = errors
    this.retryAfter = retryAfter
  }
}

/** The error of an answer that is a refusal; `body` is what it says, as JSON. */
export function refusal(answer: Response, body: unknown): GatehouseError {
  const { error, errors = {} } = (body ?? {}) as { error?: string; errors?: FieldErrors }
  const wrong = Object.entries(errors).map(([field, messages]) => `${field} ${messages.join(' and ')}`)
  const message = error ?? (wrong.join(', ') || `The answer is ${answer.status}`)
  return new GatehouseError(answer.status, message, errors, retryAfterOf(answer))
}

/** The seconds of an answer's `Retry-After`. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  return seconds >= 0 ? seconds : undefined
}
