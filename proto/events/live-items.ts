/** Something that happened in a watched event. */
export interface LiveItem {
  type: string
  /** As webhooks get it: JSON. */
  payload: string
}

/** Bytes of a message, well below NATS' max_payload. */
const MAX_BYTES = 256 * 1024

/** Items as messages of the `live` stream: a line each, its type and its payload. One message for as many as find room. */
export function writeLive(items: readonly LiveItem[]): string[] {
  const messages: string[][] = []
  let bytes = MAX_BYTES
  for (const { type, payload } of items) {
    const size = Buffer.byteLength(payload) + type.length + 2
    if (bytes + size > MAX_BYTES) {
      messages.push([])
      bytes = 0
    }
    messages.at(-1)?.push(`${type} ${payload}`)
    bytes += size
  }
  return messages.map((lines) => lines.join('\n'))
}

/** The items of a message. */
export function readLive(message: string): LiveItem[] {
  return message.split('\n').map((line) => {
    const end = line.indexOf(' ')
    return { type: line.slice(0, end), payload: line.slice(end + 1) }
  })
}
