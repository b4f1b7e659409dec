import { expect } from 'vitest'

/** A received server-sent event. */
export interface SseEvent {
  id?: string
  event?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  data?: any
}

const TIMEOUT_MS = 45_000

/** A client of a live feed that collects its events. */
export class LiveClient {
  readonly events: SseEvent[] = []
  ended = false
  readonly #controller = new AbortController()

  /** Opens a feed and waits until it has joined. Retries after 503; any other answer than 200 fails the test. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<LiveClient> {
    const client = new LiveClient()
    const ask = () => fetch(url, { headers, signal: client.#controller.signal })
    let response = await ask()
    // On a machine that stalls JetStream may not answer in time.
    for (let tries = 0; response.status === 503 && tries < 20; tries++) {
      await response.body?.cancel()
      await new Promise((resolve) => setTimeout(resolve, 500))
      response = await ask()
    }
    expect(response.status, response.status === 200 ? '' : await response.text()).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    void client.#read(response)
    // A feed has joined when it has got its position.
    await client.until(() => client.lastId !== undefined || client.ended)
    if (client.lastId === undefined) throw new Error('the feed ended before it had joined')
    return client
  }

  /** The position of the feed: the id of its last event. */
  get lastId(): string | undefined {
    return this.events.findLast(({ id }) => id !== undefined)?.id
  }

  /** The domain events, without those that only give the position. */
  get happened(): SseEvent[] {
    return this.events.filter(({ event }) => event?.includes('.'))
  }

  /** Waits until `holds` is true. Throws with the received events after 45 s. */
  async until(holds: () => boolean): Promise<void> {
    const end = performance.now() + TIMEOUT_MS
    while (!holds()) {
      if (performance.now() > end) throw new Error(`the feed got only ${JSON.stringify(this.events).slice(0, 2_000)}`)
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
      // The connection broke, or the test closed it.
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
