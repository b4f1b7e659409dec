import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '@gatehouse/proto/bus/messages.ts'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { NextPart, Part } from '@gatehouse/proto/declaring/resource.ts'

/** Asks a service for a part of a file. */
export type AskPart = (part: Part) => Promise<Reply>

/** Milliseconds between tries to get a part from a service that is away or has too much to do. */
const RETRY_MS = 1_000
/** Tries before the file is broken off. Its status is sent already, so nothing else can tell the client. */
const TRIES = 30

/**
 * The parts of a file as a stream, each asked for when the client has taken those before it. When the client goes away no more are made, and
 * the service is told.
 */
export function streamOf(first: Reply, file: string, ask: AskPart): Readable {
  const leaving = new AbortController()
  let next = first.file?.next
  let asked: Promise<unknown> = Promise.resolve()
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield first.body
    while (next) {
      const asking = nextOf(next, file, ask, leaving.signal)
      asked = asking
      const reply = await asking
      next = reply.file?.next
      yield reply.body
    }
  }
  async function giveUp(): Promise<void> {
    leaving.abort()
    // What is asked for already must not come after the end.
    await asked.catch(() => undefined)
    // If that gets lost, the service finds out by itself.
    if (next) await ask({ file, after: next.after, is_given_up: true }).catch(() => undefined)
  }
  return Readable.from(parts()).once('close', giveUp)
}

/** The next part, after its pause. Tries again while the service is away. Rejects once the client has left. */
async function nextOf({ after, pause_ms }: NextPart, file: string, ask: AskPart, signal: AbortSignal): Promise<Reply> {
  await sleep(pause_ms, undefined, { signal })
  for (let tries = 1; ; tries++) {
    try {
      const reply = await ask({ file, after })
      signal.throwIfAborted()
      return reply
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'unavailable' || tries === TRIES) throw error
      await sleep(RETRY_MS, undefined, { signal })
    }
  }
}
