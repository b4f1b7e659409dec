/** Something that happened in a watched event. */
export interface LiveItem {
  type: string
  /** JSON, as webhooks get it. */
  payload: string
}

/** The maximum size of a message in bytes, well below NATS' max_payload. */
const MAX_BYTES = 256 * 1024

/** Items as messages of the `live` stream, as few as possible: a line for each item, with type and payload. */
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
