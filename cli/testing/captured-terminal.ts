import { Writable } from 'node:stream'
import type { Terminal } from '../terminal.ts'

/** A terminal for tests: what is written to it can be read. */
export function captured(stop: AbortSignal = new AbortController().signal): Terminal & {
  text: { out: string; err: string }
} {
  const text = { out: '', err: '' }
  const into = (name: 'out' | 'err'): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        text[name] += chunk
        done()
      },
    })
  return { out: into('out'), err: into('err'), stop, text }
}
