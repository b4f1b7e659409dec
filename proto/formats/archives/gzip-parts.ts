import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

/** How far a compressed file is: what its end says of all of it. */
export interface GzipPosition {
  crc: number
  size: number
}

/** Where a compressed file begins. */
export const GZIP_BEGINNING: GzipPosition = { crc: 0, size: 0 }

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** Compresses a part of a file, so that the parts together are one gzip file (RFC 1952). Any process can make the next part. */
export async function gzipPart(
  bytes: Uint8Array,
  from: GzipPosition,
  { isLast }: { isLast: boolean },
): Promise<{ bytes: Buffer; end: GzipPosition }> {
  const { Z_FINISH, Z_SYNC_FLUSH } = constants
  const body = await deflate(bytes, { finishFlush: isLast ? Z_FINISH : Z_SYNC_FLUSH })
  const end = { crc: crc32(bytes, from.crc), size: from.size + bytes.length }
  const parts = [...(from.size === 0 ? [HEADER] : []), body, ...(isLast ? [trailerOf(end)] : [])]
  return { bytes: Buffer.concat(parts), end }
}

function trailerOf({ crc, size }: GzipPosition): Buffer {
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc, 0)
  trailer.writeUInt32LE(size % 2 ** 32, 4)
  return trailer
}
