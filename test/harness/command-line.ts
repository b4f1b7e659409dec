import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { gatehouse } from '@gatehouse/cli/gatehouse.ts'
import { captured } from '@gatehouse/cli/testing/captured-terminal.ts'
import { natsUrlOf } from './nats-urls.ts'
import { bareEnv } from './process.ts'
import type { System } from './system.ts'

/** What a command has written, and its exit code. */
export interface Ran {
  code: number
  out: string
  err: string
}

/** Runs a command in this process, with these settings and no others, and `input` piped in. */
export async function runGatehouse(args: readonly string[], env: NodeJS.ProcessEnv, input = ''): Promise<Ran> {
  const terminal = captured({ env, input })
  const code = await gatehouse(args, terminal)
  return { code, ...terminal.text }
}

/** The same in a process of its own, for what only that shows: a second of CPU time. It is killed -9 when `signal` is aborted. */
export function runGatehouseProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input = '',
  signal?: AbortSignal,
): Promise<Ran> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  return new Promise((resolve) => {
    const options = {
      cwd: root,
      env: { ...bareEnv, ...env },
      timeout: 120_000,
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    } as const
    const child = execFile(process.execPath, ['cli/main.ts', ...args], options, async (error, out, err) => {
      // One that is killed may still write when this is called.
      await ended
      resolve({ code: error ? Number(error.code) : 0, out, err })
    })
    // Not by `once` of node:events, which the error of an abort ends.
    const ended = new Promise<void>((end) => child.once('exit', () => end()))
    child.stdin?.end(input)
  })
}

/** The settings by which a command reaches a system. */
export function settingsFor({ namespace }: Pick<System, 'namespace'>): Record<string, string> {
  return { NATS_URL: natsUrlOf('cli'), NAMESPACE: namespace }
}

/** Runs a command on a system, and returns what it prints. Rejects with its remarks if it fails. */
export async function printed(system: Pick<System, 'namespace'>, ...args: string[]): Promise<string> {
  const { code, out, err } = await runGatehouse(args, settingsFor(system))
  if (code !== 0) throw new Error(`It ended with ${code}: ${err}`)
  return out
}
