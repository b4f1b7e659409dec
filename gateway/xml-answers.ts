import { timeSlicer } from '@gatehouse/proto/concurrency/time-slices.ts'
import { kindOf, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { itemsOf } from '@gatehouse/proto/formats/json-items.ts'
import { xmlListWriterOf, xmlWriterOf } from '@gatehouse/proto/formats/xml.ts'

/** Bytes of JSON beyond which a list becomes XML in slices. */
const LARGE = 64 * 1024

/** Makes XML of a reply's JSON, by its schema; of a long list in slices. `one` names an object's root, `many` a list's. */
export function xmlAnswerOf(schema: SchemaNode, one: string, many: string): (json: Buffer) => string | Promise<string> {
  const write = xmlWriterOf(schema, one, many)
  const list = kindOf(schema) === 'array' ? xmlListWriterOf(schema, many) : undefined
  return (json) => {
    if (json.length <= LARGE || !list) return write(JSON.parse(json.toString()))
    return timeSlicer.map(itemsOf(json, []), (item) => list.item(JSON.parse(item.toString()))).then(list.document)
  }
}
