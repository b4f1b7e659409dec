import { readdir, readFile } from 'node:fs/promises'

/** Sends a signal to a process, unless it has ended. */
export function sendSignal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A process and its children (PostgreSQL's sessions). */
export async function familyOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
    }),
  )
  return [parent, ...pids.filter((_, n) => parents[n] === parent)]
}
