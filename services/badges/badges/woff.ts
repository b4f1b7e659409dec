import { inflateSync } from 'node:zlib'

const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

/**
 * The OpenType font in a WOFF file (W3C WOFF 1.0), or a font that is none as it is. fontkit reads WOFF too, but unpacks its tables in
 * JavaScript and anew for each document, which takes longer than everything else about a badge.
 */
export function unpacked(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOFF') return file
  const count = file.readUInt16BE(12)
  const head = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY)
  file.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  const power = 2 ** Math.floor(Math.log2(count))
  head.writeUInt16BE(power * SFNT_ENTRY, 6)
  head.writeUInt16BE(Math.log2(power), 8)
  head.writeUInt16BE((count - power) * SFNT_ENTRY, 10)

  const tables: Buffer[] = []
  let offset = head.length
  for (let index = 0; index < count; index++) {
    const entry = WOFF_HEADER + index * WOFF_ENTRY
    const [from, packed, length] = [4, 8, 12].map((at) => file.readUInt32BE(entry + at)) as [number, number, number]
    const bytes = file.subarray(from, from + packed)
    const at = SFNT_HEADER + index * SFNT_ENTRY
    file.copy(head, at, entry, entry + 4)
    file.copy(head, at + 4, entry + 16, entry + 20)
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(length, at + 12)
    tables.push(packed < length ? inflateSync(bytes) : bytes, Buffer.alloc(-length & 3))
    offset += length + (-length & 3)
  }
  return Buffer.concat([head, ...tables])
}
