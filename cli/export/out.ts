import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { type Readable, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { escapeControls } from '@gatehouse/proto/process/control-characters.ts'
import { isScreen } from '../terminal.ts'

/** The destination of an export. */
interface OutTarget {
  /** A file, which appears only when it is complete; default: `stream`. */
  file?: string | undefined
  stream: Writable
}

/** Writes a source as it arrives, on a screen with its control characters escaped; ends quietly when the reader closes the pipe (`| head`). */
export async function writeOut(
  source: [Readable, ...Transform[]],
  { file, stream }: OutTarget,
  signal: AbortSignal,
): Promise<void> {
  if (file === undefined) {
    try {
      await pipeline([...source, ...(isScreen(stream) ? [escaping()] : []), stream], { end: false, signal })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
    }
    return
  }
  const unfinished = `${file}.part`
  try {
    await pipeline([...source, createWriteStream(unfinished)], { signal })
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

function escaping(): Transform {
  const decoder = new TextDecoder()
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, escapeControls(decoder.decode(chunk, { stream: true }))),
    flush: (done) => done(null, escapeControls(decoder.decode())),
  })
}

/** Passes items on, and calls `onItem` before each. */
export async function* counted<T>(items: AsyncIterable<T>, onItem: () => void): AsyncGenerator<T> {
  for await (const item of items) {
    onItem()
    yield item
  }
}
