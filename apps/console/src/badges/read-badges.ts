import { client } from '../server/server.ts'

/** How many badges of a file have come. */
export interface Progress {
  made: number
  total: number
}

/** A comment in the file, which says how far it is. */
const COMMENT = /%Badges (\d+) of (\d+)\n/g
/** Longer than a comment, which may come in two pieces. */
const REST = 64

/** Reads the file of all badges, and says how far it is. Returns the file, and how many badges are in it. */
export async function readBadges(
  event_id: string,
  query: Readonly<Record<string, string>>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<{ pieces: Uint8Array<ArrayBuffer>[]; count: number }> {
  const { category, checked_in } = query
  const { response } = await client.GET('/api/v1/events/{event_id}/badges.pdf', {
    params: {
      path: { event_id },
      query: { ...(category && { category: [category] }), ...(checked_in && { checked_in: checked_in === 'true' }) },
    },
    parseAs: 'stream',
    signal,
    // It takes as long as it takes: no deadline.
    fetch: (request) => fetch(request),
  })
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const decoder = new TextDecoder('latin1')
  let rest = ''
  let count = 0
  const reader = response.body?.getReader()
  while (reader) {
    const { value, done } = await reader.read()
    if (done) break
    pieces.push(value)
    const text = rest + decoder.decode(value)
    for (const [, made, total] of text.matchAll(COMMENT)) {
      count = Number(total)
      onProgress({ made: Number(made), total: count })
    }
    rest = text.slice(-REST)
  }
  return { pieces, count }
}
