import { Readable, Writable } from 'node:stream'
import type { Terminal } from '../terminal.ts'

interface Given {
  env?: NodeJS.ProcessEnv
  input?: string
  stop?: AbortSignal
}

/** A terminal for tests: what is written to it can be read. */
export function captured({ env = {}, input = '', stop = new AbortController().signal }: Given = {}): Terminal & {
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
  return { env, in: Readable.from([input]), out: into('out'), err: into('err'), stop, text }
}
