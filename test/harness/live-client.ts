import { expect } from 'vitest'

/** A server-sent event as it came. */
export interface SseEvent {
  id?: string
  event?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
  data?: any
}

const TIMEOUT_MS = 45_000

/** A client of a live feed that reads what comes. */
export class LiveClient {
  readonly events: SseEvent[] = []
  ended = false
  readonly #controller = new AbortController()

  /** Opens a feed, which must be answered 200, and waits until it has joined. Comes again where it is 503 for now. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<LiveClient> {
    const client = new LiveClient()
    const ask = () => fetch(url, { headers, signal: client.#controller.signal })
    let response = await ask()
    // JetStream may not have answered in time, on a machine that stood still.
    for (let tries = 0; response.status === 503 && tries < 20; tries++) {
      await response.body?.cancel()
      await new Promise((resolve) => setTimeout(resolve, 500))
      response = await ask()
    }
    expect(response.status, response.status === 200 ? '' : await response.text()).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    void client.#read(response)
    // It has joined when it knows where it is.
    await client.until(() => client.lastId !== undefined || client.ended)
    if (client.lastId === undefined) throw new Error('the feed ended before it had joined')
    return client
  }

  /** Where it is. */
  get lastId(): string | undefined {
    return this.events.findLast(({ id }) => id !== undefined)?.id
  }

  /** What happened, without the word where the feed is. */
  get happened(): SseEvent[] {
    return this.events.filter(({ event }) => event?.includes('.'))
  }

  /** Waits until something holds. Throws with what came after 45 s. */
  async until(holds: () => boolean): Promise<void> {
    const end = performance.now() + TIMEOUT_MS
    while (!holds()) {
      if (performance.now() > end) throw new Error(`only ${JSON.stringify(this.events).slice(0, 2_000)}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  close(): void {
    this.#controller.abort()
  }

  async #read(response: Response): Promise<void> {
    let text = ''
    try {
      const decoder = new TextDecoder()
      for await (const piece of response.body as ReadableStream<Uint8Array>) {
        text += decoder.decode(piece, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
      }
    } catch {
      // Cut off, or closed by the test.
    }
    this.ended = true
  }

  #take(block: string): void {
    const lines = block.split('\n').filter((line) => line && !line.startsWith(':') && !line.startsWith('retry'))
    if (lines.length === 0) return
    const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))
    this.events.push({ ...fields, ...(fields.data && { data: JSON.parse(fields.data) }) })
  }
}
