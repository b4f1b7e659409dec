import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { XmlReader } from '@gatehouse/proto/formats/xml.ts'

/** The value of a whole document, as {@link XmlReader} reads it. */
export function readXml(document: string, schema: SchemaNode): unknown {
  const reader = new XmlReader(schema)
  reader.write(document)
  return reader.end()
}
