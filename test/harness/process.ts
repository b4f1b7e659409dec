import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { programOf } from '@gatehouse/local/program'

/** A process of the system, started for a test. */
export interface Process {
  /** The URL of a gateway; empty for a service. */
  url: string
  pid: number
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<void>
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>
}

/** The environment of a command without settings: it finds programs, and the compiled code of earlier tests, which halves its CPU time. */
export const bareEnv = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Starts a `main.ts` with its configuration in the environment; resolves when its log says that it is ready. Of the
 * rest of its log only errors are printed. `flags` replaces the flags for node that the system's processes usually get.
 */
export async function startProcess(main: string, config: object, flags?: string[]): Promise<Process> {
  // Null stands for a setting that is not given.
  const given = Object.entries(config).filter(([, value]) => value !== null && value !== undefined)
  const settings = given.map(([name, value]) => [name.toUpperCase(), String(value)])
  const { command, args, env } = programOf(main, join(root, 'node_modules/.cache/gatehouse'), flags)
  const child = spawn(command, args, {
    cwd: root,
    env: { ...env, PATH: process.env.PATH, ...Object.fromEntries(settings), LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const ready = new Promise<{ url?: string }>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"msg":"ready"')) resolve(JSON.parse(line) as { url?: string })
      if (line.includes('"level":50')) process.stderr.write(`${line}\n`)
    })
    ended.then(([code]) => reject(new Error(`${main} ended with ${code} before it was ready`)))
  })
  const { url = '' } = await ready
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await ended
  }
  return { url, pid: child.pid as number, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}
