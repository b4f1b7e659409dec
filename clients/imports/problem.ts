import { type FieldErrors, fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { type Message, type MessageCode, type MessageValues, messageOf } from '@gatehouse/proto/declaring/messages.ts'

/** What is wrong with a row, or odd about it: with a field of the API, with a column of the file, or with the row as a whole. */
export interface Cause {
  field?: string
  column?: string
  message: Message
}

/** Why a row cannot be imported, or what is odd about it; a sentence where only the command line reads it. */
export type Problem = string | readonly Cause[]

/** A cause about the row as a whole. */
export function causeOf(code: MessageCode, values?: MessageValues): Cause {
  return { message: messageOf(code, values) }
}

/** The causes of errors by field. */
export function causesOf(errors: FieldErrors): Cause[] {
  return Object.entries(errors).flatMap(([field, messages]) => messages.map((message) => ({ field, message })))
}

/** Says a problem in English; `hints` follow the messages of a code. */
export function problemText(problem: Problem, hints: Partial<Record<MessageCode, string>> = {}): string {
  if (typeof problem === 'string') return problem
  return problem.map((cause) => causeText(cause) + (hints[cause.message.code] ?? '')).join('; ')
}

function causeText({ field, column, message }: Cause): string {
  if (field !== undefined) return fullSentences({ [field]: [message] }).join('; ')
  return column === undefined ? String(message) : `${column}: ${message}`
}
