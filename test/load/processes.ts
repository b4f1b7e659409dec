import { readdirSync, readFileSync } from 'node:fs'

/** The kernel's clock ticks, which are a hundredth of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** Sends a signal to a process, unless it has ended. */
export function sendSignal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A process and its descendants, such as PostgreSQL's sessions. */
export function familyOf(pid: number): number[] {
  return family(pid, readStats()).map((each) => each.pid)
}

/** CPU seconds of each process and its descendants so far, by name. */
export function cpuOf(pids: Record<string, number>): Record<string, number> {
  return ofEach(pids, (stats) => stats.reduce((sum, { cpu }) => sum + cpu, 0))
}

/** The memory of a process, or of its largest descendant: resident now and at most since its start, in MiB. */
export interface MemoryUse {
  now: number
  peak: number
  /** Its own part of `now`, and its share of the memory that several processes map: each of ours maps the same 60 MiB of node. */
  share: number
}

/** The memory of each process, by name. */
export function memoryOf(pids: Record<string, number>): Record<string, MemoryUse> {
  return ofEach(pids, (stats) => ({
    now: largest(stats, 'status', 'VmRSS'),
    peak: largest(stats, 'status', 'VmHWM'),
    share: largest(stats, 'smaps_rollup', 'Pss'),
  }))
}

interface ProcessStat {
  pid: number
  parent: number
  /** Seconds, including those of children that have ended. */
  cpu: number
}

/** A figure of each process, computed from the process and all its descendants. */
function ofEach<T>(pids: Record<string, number>, figure: (stats: ProcessStat[]) => T): Record<string, T> {
  const stats = readStats()
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, figure(family(pid, stats))]))
}

function family(pid: number, stats: ProcessStat[]): ProcessStat[] {
  const own = stats.filter((each) => each.pid === pid)
  const children = stats.filter((each) => each.parent === pid)
  return [...own, ...children.flatMap((child) => family(child.pid, stats))]
}

function readStats(): ProcessStat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const text = readProc(`/proc/${name}/stat`)
      if (text === undefined) return []
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
      return [{ pid: Number(name), parent: Number(fields[1]), cpu: ticks / TICKS_PER_SECOND }]
    })
}

/** The largest value of a field in kB of `/proc/<pid>/<file>`, in MiB. */
function largest(stats: ProcessStat[], file: string, field: string): number {
  const sizes = stats.map(({ pid }) => {
    const [, kilobytes = '0'] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readProc(`/proc/${pid}/${file}`) ?? '') ?? []
    return Number(kilobytes) / 1024
  })
  return Math.max(0, ...sizes)
}

/** Undefined if the process has ended. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
