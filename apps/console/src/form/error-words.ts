import { errorsOf, type FieldErrors } from '@gatehouse/proto/declaring/faults.ts'
import { Message } from '@gatehouse/proto/declaring/messages.ts'
import type { Coded, GatehouseError } from '../../../../clients/typescript/client.ts'
import { type ConsoleSay, named } from '../texts/words.ts'

/** Which values are names of the API, and of what. */
const NAMES: Record<string, 'field' | 'choice' | 'reason'> = { fields: 'field', values: 'choice', refusal: 'reason' }

/** Returns the errors of a request by field. */
export function messagesOf({ errors, codes }: GatehouseError): FieldErrors {
  return errorsOf(errors, codes as Parameters<typeof errorsOf>[1])
}

/** Says what is wrong in the language of the console; in the API's own words if the console does not know the code. */
export function errorWords(say: ConsoleSay, message: Message): string {
  const key = `error_${message.code}`
  if (!say.knows(key)) return String(message)
  const words = Object.entries(message.values ?? {}).map(([name, value]) => [name, valueIn(say, name, String(value))])
  return say(key, { ...Object.fromEntries(words), link: '{{link}}' })
}

/** Says the errors of a request as one text: each field by its label. */
export function fieldErrorWords(say: ConsoleSay, error: GatehouseError): string {
  const words = Object.entries(messagesOf(error)).map(([name, messages]) => labelled(say, name, messages))
  if (words.length > 0) return words.join(' ')
  return error.reason ? errorWords(say, new Message(error.message, error.reason as Coded as Message)) : error.message
}

/** Says the errors of a field, after its label. */
export function labelled(say: ConsoleSay, name: string, messages: readonly Message[]): string {
  return `${named(say, 'field', name)}: ${messages.map((each) => errorWords(say, each)).join(' ')}`
}

function valueIn(say: ConsoleSay, name: string, value: string): string {
  const kind = NAMES[name]
  if (!kind) return value
  return value
    .split(/, | or /)
    .map((each) => named(say, kind, each))
    .join(', ')
}
