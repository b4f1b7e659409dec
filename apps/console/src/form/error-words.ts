import { readMessage } from '@gatehouse/proto/declaring/messages.ts'
import type { GatehouseError } from '../../../../clients/typescript/client.ts'
import { type ConsoleSay, named } from '../texts/words.ts'

/** Which values are names of the API, and of what. */
const NAMES: Record<string, 'field' | 'choice'> = { fields: 'field', values: 'choice' }

/** What the API says is wrong, in the language of the console; in the API's own words if it says what no code is known of. */
export function errorWords(say: ConsoleSay, sentence: string): string {
  const read = readMessage(sentence)
  if (!read) return sentence
  const { code, values } = read
  const words = Object.entries(values).map(([name, value]) => [name, valueIn(say, name, String(value))])
  return say(`error_${code}`, { ...Object.fromEntries(words), link: '{{link}}' })
}

/** The errors of a request as one text: each field by its label. */
export function fieldErrorWords(say: ConsoleSay, { errors, message }: GatehouseError): string {
  const words = Object.entries(errors).map(([name, sentences]) => labelled(say, name, sentences))
  return words.length === 0 ? errorWords(say, message) : words.join(' ')
}

/** The errors of a field, after its label. */
export function labelled(say: ConsoleSay, name: string, sentences: readonly string[]): string {
  return `${named(say, 'field', name)}: ${sentences.map((each) => errorWords(say, each)).join(' ')}`
}

function valueIn(say: ConsoleSay, name: string, value: string): string {
  const kind = NAMES[name]
  if (!kind) return value
  return value
    .split(/, | or /)
    .map((each) => named(say, kind, each))
    .join(', ')
}
