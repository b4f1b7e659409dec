import type { TSchema } from 'typebox'
import { internalReaderOf, parseJson } from './json-reader.ts'

/**
 * Makes a reader of messages that are JSON of a schema, for announcements and work queues. It gives undefined for any other message: whoever
 * works for a queue must terminate that, or it would be delivered for ever.
 */
export function messageReader<T>(schema: object): (data: Uint8Array) => T | undefined {
  const read = internalReaderOf(schema as TSchema)
  return (data) => {
    try {
      const { value, errors } = read(parseJson(data))
      return errors ? undefined : (value as T)
    } catch {
      return undefined
    }
  }
}
