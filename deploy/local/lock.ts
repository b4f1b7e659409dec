import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'

/** A held lock; `release()` or any end of this process frees it. */
export interface Lock {
  release(): Promise<void>
}

/**
 * Takes the lock of the file `path`, and waits up to `waitSeconds` for it; returns null after that. `flock` holds it for a `cat` that reads from this
 * process: any end of the process ends the pipe, then `cat`, then the lock, so that none is left behind.
 */
export async function takeLock(path: string, waitSeconds: number): Promise<Lock | null> {
  // Every user who can read the file can hold the lock.
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
  // The holder must not keep a finished process alive.
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
