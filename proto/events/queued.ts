import type { TSchema } from 'typebox'
import { parseJson, readerOf } from '../formats/json-reader.ts'

/**
 * Makes a reader of the messages of a work queue, which are JSON. It gives undefined for one which the schema does not allow: whoever works for
 * the queue must terminate that, or it would be delivered for ever.
 */
export function queuedReader<T>(schema: object): (data: Uint8Array) => T | undefined {
  const read = readerOf(schema as TSchema)
  return (data) => {
    try {
      const { value, errors } = read(parseJson(data))
      return errors ? undefined : (value as T)
    } catch {
      return undefined
    }
  }
}
