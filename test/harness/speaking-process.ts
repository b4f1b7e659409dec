import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { bareEnv } from './process.ts'

const root = join(import.meta.dirname, '../..')

/** A process of the system, all of whose output is collected. */
export interface SpeakingProcess {
  said: { out: string; err: string }
  ready(): Promise<void>
  /** Resolves with its exit code when it has ended. */
  ended: Promise<number | null>
  /** Ends it; then its output is complete. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts a process of the system with the most verbose log level. `flags` are for node. */
export function startSpeaking(main: string, settings: Record<string, string>, flags: string[] = []): SpeakingProcess {
  const child = spawn(process.execPath, [...flags, main], {
    cwd: root,
    env: { ...bareEnv, ...settings, LOG_LEVEL: 'trace' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    said,
    ended,
    ready: async () => {
      const early = ended.then(() => Promise.reject(new Error(`${main} ended before it was ready: ${said.err}`)))
      await Promise.race([vi.waitFor(() => expect(said.out).toContain('"msg":"ready"'), { timeout: 120_000 }), early])
    },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await ended
    },
  }
}
