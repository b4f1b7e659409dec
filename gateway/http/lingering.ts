import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Connections of refused requests that are still open at once; each holds 128 KiB at most. */
export const MAX_LINGERING = 128
/** Milliseconds between two reads, each of what a stream buffers, 64 KiB. */
const READ_EVERY_MS = 20
/** Bodies read at once: 25 MB a second, shared by all. */
const READ_AT_ONCE = 8

/** What is left of a refused request. */
interface Rest {
  /** Its body, unless it could not be read as a request. */
  body: IncomingMessage | undefined
  /** When the connection is closed, by `performance.now()`. */
  until: number
  /** Called when the body is complete: the connection takes its next request. */
  onComplete: () => void
}

/**
 * Connections that stay open for a while after a refusal, since many clients read no answer before they have sent everything. Their number is
 * bounded: beyond it, the one not read for longest is closed.
 */
export class Lingering {
  /** The one not read for longest comes first. */
  readonly #rests = new Map<Socket, Rest>()
  #timer: NodeJS.Timeout | undefined

  get size(): number {
    return this.#rests.size
  }

  add(socket: Socket, rest: Rest): void {
    this.#rests.set(socket, rest)
    this.#timer ??= setInterval(() => this.#look(), READ_EVERY_MS).unref()
    if (this.#rests.size > MAX_LINGERING) this.#close(this.#rests.keys().next().value as Socket)
  }

  /** Forgets a connection; call it as soon as one is closed. */
  delete(socket: Socket): void {
    this.#rests.delete(socket)
    if (this.#rests.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const now = performance.now()
    let read = 0
    for (const [socket, rest] of [...this.#rests]) {
      const { body, until, onComplete } = rest
      if (body?.complete) {
        this.delete(socket)
        body.resume()
        onComplete()
      } else if (now >= until) this.#close(socket)
      else if (body && read < READ_AT_ONCE) {
        read++
        body.read()
        this.#rests.delete(socket)
        this.#rests.set(socket, rest)
      }
    }
  }

  #close(socket: Socket): void {
    this.delete(socket)
    socket.destroy()
  }
}
