import { inflateSync, zstdDecompressSync } from 'node:zlib'

const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

/** A table of an OpenType font. */
interface Table {
  tag: Buffer
  checksum: Buffer
  bytes: Buffer
}

/** How a file begins that zstd has packed (RFC 8878, 3.1.1). */
const ZSTD = 0xfd2fb528

/**
 * The OpenType font in a WOFF file (W3C WOFF 1.0) or in one that zstd has packed, as in the image; any other file is given as it is. fontkit reads WOFF too, but inflates its tables in
 * JavaScript for each document, which takes longer than the rest of a badge.
 */
export function unpacked(file: Buffer): Buffer {
  if (file.readUInt32LE() === ZSTD) return zstdDecompressSync(file)
  if (file.toString('latin1', 0, 4) !== 'wOFF') return file
  const tables = Array.from({ length: file.readUInt16BE(12) }, (_, index) => {
    const entry = WOFF_HEADER + index * WOFF_ENTRY
    const [from, packed, length] = [4, 8, 12].map((at) => file.readUInt32BE(entry + at)) as [number, number, number]
    const bytes = file.subarray(from, from + packed)
    return {
      tag: file.subarray(entry, entry + 4),
      checksum: file.subarray(entry + 16, entry + 20),
      bytes: packed < length ? inflateSync(bytes) : bytes,
    }
  })
  return written(file.subarray(4, 8), tables)
}

/** An OpenType font reduced to the tables with these tags. */
export function withOnly(tags: string[], font: Buffer): Buffer {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const entry = SFNT_HEADER + index * SFNT_ENTRY
    const from = font.readUInt32BE(entry + 8)
    return {
      tag: font.subarray(entry, entry + 4),
      checksum: font.subarray(entry + 4, entry + 8),
      bytes: font.subarray(from, from + font.readUInt32BE(entry + 12)),
    }
  })
  return written(
    font.subarray(0, 4),
    tables.filter(({ tag }) => tags.includes(tag.toString('latin1'))),
  )
}

function written(flavour: Buffer, tables: Table[]): Buffer {
  const head = Buffer.alloc(SFNT_HEADER + tables.length * SFNT_ENTRY)
  flavour.copy(head)
  head.writeUInt16BE(tables.length, 4)
  const power = 2 ** Math.floor(Math.log2(tables.length))
  head.writeUInt16BE(power * SFNT_ENTRY, 6)
  head.writeUInt16BE(Math.log2(power), 8)
  head.writeUInt16BE((tables.length - power) * SFNT_ENTRY, 10)

  const parts: Buffer[] = [head]
  let offset = head.length
  for (const [index, { tag, checksum, bytes }] of tables.entries()) {
    const at = SFNT_HEADER + index * SFNT_ENTRY
    tag.copy(head, at)
    checksum.copy(head, at + 4)
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(bytes.length, at + 12)
    const padding = Buffer.alloc(-bytes.length & 3)
    parts.push(bytes, padding)
    offset += bytes.length + padding.length
  }
  return Buffer.concat(parts)
}
