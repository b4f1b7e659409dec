import { fieldsOf, textOf } from './bson-fields.ts'

/** The largest message that MongoDB's protocol allows, in bytes. */
export const MAX_MESSAGE_BYTES = 48_000_000

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013
const CHECKSUM_PRESENT = 1
const MORE_TO_COME = 2
const EXHAUST_ALLOWED = 1 << 16

/** A client's command, with its BSON not decoded. */
export interface Command {
  requestId: number
  /** In the legacy form, which drivers use only for their first hello. */
  legacy: boolean
  /** The client wants no answer. */
  silent: boolean
  /** The client accepts several answers. */
  exhaust: boolean
  /** The client's spelling. */
  name: string
  db: string
  /** The value of the command's name if it is a string: the collection. */
  collection: string | undefined
  body: Buffer
  /** The concatenated documents of sections of kind 1, by field. */
  sequences: Map<string, Buffer>
}

/** Bytes that are not a message of this protocol; the connection cannot be used further. */
export class ProtocolError extends Error {
  override name = 'ProtocolError'
}

/** Assembles messages from the chunks of a socket. */
export class MessageReader {
  #chunks: Buffer[] = []
  #bytes = 0
  #wanted = 0

  /** Adds a chunk and returns the messages that it completes. Throws {@link ProtocolError}, also for one longer than `most` bytes. */
  read(chunk: Buffer, most: number): Buffer[] {
    const messages: Buffer[] = []
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#bytes >= 4 && this.#bytes >= this.#wanted) {
      const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
      const length = bytes.readInt32LE(0)
      if (length < 16 || length > most) throw new ProtocolError(`a message of ${length} bytes`)
      if (bytes.length < length) {
        this.#chunks = [bytes]
        this.#wanted = length
        return messages
      }
      this.#wanted = 0
      this.#bytes = bytes.length - length
      this.#chunks = this.#bytes ? [bytes.subarray(length)] : []
      messages.push(bytes.subarray(0, length))
    }
    return messages
  }
}

/** Parses a message. Throws {@link ProtocolError}. */
export function parseMessage(message: Buffer): Command {
  try {
    const opcode = message.readInt32LE(12)
    if (opcode === OP_MSG) return parseMsg(message)
    if (opcode === OP_QUERY) return parseQuery(message)
    throw new ProtocolError(`operation ${opcode} is not supported`)
  } catch (error) {
    if (error instanceof RangeError) throw new ProtocolError(error.message)
    throw error
  }
}

function parseMsg(message: Buffer): Command {
  const flags = message.readUInt32LE(16)
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0)
  const sequences = new Map<string, Buffer>()
  let body: Buffer | undefined
  for (let at = 20; at < end; ) {
    const kind = message[at++]
    const size = message.readInt32LE(at)
    if (size < 5 || at + size > end) throw new ProtocolError('a section ends after its message')
    if (kind === 0) {
      if (body) throw new ProtocolError('two bodies in a message')
      body = message.subarray(at, at + size)
    } else if (kind === 1) {
      const nameEnd = message.indexOf(0, at + 4)
      if (nameEnd < 0 || nameEnd >= at + size) throw new ProtocolError('a section has no name')
      sequences.set(message.toString('latin1', at + 4, nameEnd), message.subarray(nameEnd + 1, at + size))
    } else throw new ProtocolError(`a section of kind ${kind}`)
    at += size
  }
  if (!body) throw new ProtocolError('a message without a body')
  const [silent, exhaust] = [(flags & MORE_TO_COME) !== 0, (flags & EXHAUST_ALLOWED) !== 0]
  return { ...namesOf(body), body, sequences, requestId: message.readInt32LE(4), legacy: false, silent, exhaust }
}

function parseQuery(message: Buffer): Command {
  const nameEnd = message.indexOf(0, 20)
  const at = nameEnd + 1 + 8
  const body = message.subarray(at, at + message.readInt32LE(at))
  const db = message.toString('latin1', 20, nameEnd).split('.')[0] ?? ''
  return {
    ...namesOf(body),
    db,
    body,
    sequences: new Map(),
    requestId: message.readInt32LE(4),
    legacy: true,
    silent: false,
    exhaust: false,
  }
}

function namesOf(body: Buffer): { name: string; db: string; collection: string | undefined } {
  if (body.readInt32LE(0) !== body.length) throw new ProtocolError('a body of another length than it says')
  let name = ''
  let collection: string | undefined
  let db = ''
  for (const field of fieldsOf(body)) {
    if (!name) {
      name = field.name
      collection = textOf(body, field)
    } else if (field.name === '$db') db = textOf(body, field) ?? ''
  }
  return { name, db, collection }
}

let lastId = 0

/**
 * The bytes of the answer to a command: header and body separate, so that a large body is not copied. With `more` another answer follows, which
 * refers to this one.
 */
export function replyTo(
  { requestId, legacy }: Pick<Command, 'requestId' | 'legacy'>,
  body: Buffer,
  more = false,
): { id: number; parts: [Buffer, Buffer] } {
  const head = Buffer.alloc(legacy ? 36 : 21)
  lastId = (lastId + 1) | 0
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(lastId, 4)
  head.writeInt32LE(requestId, 8)
  head.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12)
  if (legacy) head.writeInt32LE(1, 32)
  else if (more) head.writeUInt32LE(MORE_TO_COME, 16)
  return { id: lastId, parts: [head, body] }
}
