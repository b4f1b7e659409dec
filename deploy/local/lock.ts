import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'

/** A held lock; ends with `release()` or with this process, however it dies. */
export interface Lock {
  release(): Promise<void>
}

/**
 * Takes the lock that the file `path` stands for, waiting up to `waitSeconds`; gives null when another holds it longer.
 * `flock` holds it for a `cat` that reads from us: whatever ends this process ends the pipe, then `cat`, then the lock,
 * so that none is ever left behind.
 */
export async function takeLock(path: string, waitSeconds: number): Promise<Lock | null> {
  // Whoever can read it can hold it.
  const file = await open(path, 'a', 0o600)
  await file.chmod(0o600)
  await file.close()
  const holder = spawn('flock', ['--wait', String(waitSeconds), path, 'sh', '-c', 'echo held; exec cat'], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(holder, 'exit').then(() => null)
  ended.catch(() => {})
  const held = await Promise.race([once(holder.stdout, 'data'), ended])
  if (!held) return null
  holder.stdout.resume()
  // The holder must not keep an otherwise finished process alive: it goes with it.
  holder.unref()
  for (const pipe of [holder.stdin, holder.stdout]) (pipe as unknown as { unref?: () => void }).unref?.()
  return {
    release: async () => {
      holder.ref()
      holder.stdin.end()
      await ended
    },
  }
}
