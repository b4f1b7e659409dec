import { type Coded, Message, type MessageCode, messageOf } from './messages.ts'

/** Errors by field, as clients see them: `{"last_name": ["can't be blank"]}`. */
export type FieldErrors = Record<string, Message[]>

/** The same as it is read from an answer. */
export type ErrorTexts = Readonly<Record<string, readonly (string | Message)[]>>

/** The codes of errors by field: `{"last_name": [{"code": "blank"}]}`. */
export type FieldCodes = Record<string, Coded[]>

/** Returns the code and values of each error. */
export function codesOf(errors: FieldErrors): FieldCodes {
  return mapValues(errors, (messages) => messages.map(({ code, values }) => ({ code, ...(values && { values }) })))
}

/** Returns the errors that an answer has as sentences and codes. An earlier version sends no codes: their code is `unknown`. */
export function errorsOf(sentences: Record<string, string[]>, codes: FieldCodes = {}): FieldErrors {
  return mapValues(sentences, (texts, field) =>
    texts.map((text, index) => new Message(text, codes[field]?.[index] ?? { code: 'unknown' as MessageCode })),
  )
}

function mapValues<T, U>(object: Record<string, T>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
}

/**
 * The codes of all refusals with their HTTP statuses; handlers name only the code. (Only bytes that are not a request yet are refused
 * elsewhere: gateway/http/connections.ts.)
 */
export const faultStatuses = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  not_acceptable: 406,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  invalid: 422,
  too_many: 429,
  unavailable: 503,
} as const

/** The code of a refusal. */
export type FaultCode = keyof typeof faultStatuses

const sentences: Record<FaultCode, string> = {
  malformed: 'The body cannot be read',
  unauthorized: 'The token or signature is not valid',
  forbidden: 'The auth_token has no right to do this',
  not_found: 'Not found',
  not_acceptable: 'The path must end in .json or .xml',
  conflict: 'The request conflicts with what is stored',
  too_large: 'The body is too large',
  unsupported: 'This Content-Type is not supported',
  invalid: 'The request is not valid',
  too_many: 'Too many requests',
  unavailable: 'The service cannot answer now, try again',
}

/** A refusal. Every layer throws it, and gateway/http/answers.ts writes it out. */
export class Fault extends Error {
  readonly code: FaultCode
  /** What stands in the way, with its code and values. */
  readonly reason: Message | undefined
  readonly errors: FieldErrors | undefined
  /** Seconds after which another try may succeed, if known. */
  readonly retryAfter: number | undefined

  constructor(code: FaultCode, message: string | Message = sentences[code], errors?: FieldErrors, retryAfter?: number) {
    super(String(message))
    this.name = 'Fault'
    this.code = code
    this.reason = message instanceof Message ? message : undefined
    this.errors = errors
    this.retryAfter = retryAfter
  }

  get status(): number {
    return faultStatuses[this.code]
  }
}

/** 422, with the errors of each field. */
export function invalid(errors: FieldErrors): Fault {
  return new Fault('invalid', sentences.invalid, errors)
}

/** 404. It does not reveal whether the thing exists in another account. */
export function notFound(): Fault {
  return new Fault('not_found')
}

/** 404 for a thing that is being made; `retryAfter` is in seconds. */
export function notYet(retryAfter: number): Fault {
  return new Fault('not_found', 'Not available yet; try again', undefined, retryAfter)
}

/** 409, with a sentence that names the obstacle. */
export function conflict(message: Message): Fault {
  return new Fault('conflict', message)
}

/** 503: a service or store did not answer in time. */
export function unavailable(message?: string): Fault {
  return new Fault('unavailable', message)
}

/** 503: an account is on its way to another cell. Nothing was done, and another try finds out where it lives. */
export class AccountMoving extends Fault {
  constructor() {
    super('unavailable', 'The account is moving, try again', undefined, 1)
  }
}

/** The fault to answer for an error: an unexpected one becomes `unavailable`, without details. */
export function toFault(error: unknown): Fault {
  return error instanceof Fault ? error : unavailable()
}

/** What was asked for; null if it is refused with one of the codes. */
export async function unlessRefused<T>(asking: Promise<T>, ...codes: FaultCode[]): Promise<T | null> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof Fault && codes.includes(error.code)) return null
    throw error
  }
}

/** The prefix of messages that name their fields. */
const NAMES_FIELDS = 'one of '

/** The message if none of several fields is given: "one of last_name, email or uid is needed". */
export function oneNeeded(fields: readonly string[]): Message {
  return messageOf('one_of_required', { fields: `${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}` })
}

/** "last_name" and "can't be blank" as a sentence: "Last name can't be blank" (the form of XML errors). */
export function fullSentences(errors: ErrorTexts): string[] {
  return Object.entries(errors).flatMap(([field, messages]) => {
    const words = field.replace(/_id$/, '').replaceAll('_', ' ').trim() || field
    return messages.map((message) =>
      capitalized(`${message}`.startsWith(NAMES_FIELDS) ? `${message}` : `${words} ${message}`),
    )
  })
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
