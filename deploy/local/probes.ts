import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when a server at this port greets, or answers `say`, with `expected`, and not with an error of Redis. */
export async function answers(port: number, say: string, expected: string, signal: AbortSignal): Promise<void> {
  await until(
    () =>
      new Promise((settle) => {
        const socket = createConnection({ port, host: '127.0.0.1', timeout: 1_000 })
        const end = (ok: boolean) => {
          socket.destroy()
          settle(ok)
        }
        socket.once('connect', () => socket.write(say))
        let heard = ''
        socket.on('data', (data) => {
          heard += data.toString('latin1')
          if (heard.startsWith('-') || heard.includes('\n-')) end(false)
          else if (heard.includes(expected)) end(true)
        })
        socket.once('error', () => end(false)).once('timeout', () => end(false))
      }),
    signal,
  )
}

/** Resolves when a server listens on this port. */
export async function listens(port: number, signal: AbortSignal): Promise<void> {
  await until(
    () =>
      new Promise((settle) => {
        const socket = createConnection({ port, host: '127.0.0.1' })
        socket.once('connect', () => settle(true)).once('error', () => settle(false))
        socket.once('connect', () => socket.destroy())
      }),
    signal,
  )
}

/** Resolves when `check` is true; polls until `signal` is aborted. */
export async function until(check: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!(await check())) {
    signal.throwIfAborted()
    await sleep(30)
  }
}
