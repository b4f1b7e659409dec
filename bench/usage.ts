import { readdirSync, readFileSync } from 'node:fs'

/** What processes have used so far, by name. */
export type Usage = Record<string, number>

/** The kernel's clock ticks, which are a hundredth of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** CPU seconds of each process and of all that it started. */
export function cpuOf(pids: Record<string, number>): Usage {
  const stats = readStats()
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [name, familyOf(pid, stats).reduce((sum, each) => sum + each.cpu, 0)]),
  )
}

/** What a process, or the largest that it started, holds: now and at most since it started, in MiB. */
export interface Memory {
  now: number
  peak: number
  /** Of what it holds now, what is its own, and its part of what it shares: every process of ours maps the same 60 MiB of node. */
  share: number
}

/** The memory of each process. */
export function memoryOf(pids: Record<string, number>): Record<string, Memory> {
  const stats = readStats()
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const family = familyOf(pid, stats)
      const most = (file: string, field: string): number =>
        Math.max(0, ...family.map((each) => mebibytesOf(readProc(`/proc/${each.pid}/${file}`) ?? '', field)))
      return [name, { now: most('status', 'VmRSS'), peak: most('status', 'VmHWM'), share: most('smaps_rollup', 'Pss') }]
    }),
  )
}

/**
 * What each process, or the largest that it started, holds now, in MiB, without the memory that it shares with others: a store's, whose size is set.
 * Much cheaper than `memoryOf`, which walks the page tables of each process
 * and keeps it from mapping memory meanwhile: it may be called during a measurement.
 */
export function residentOf(pids: Record<string, number>): Record<string, number> {
  const stats = readStats()
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => [
      name,
      Math.max(
        0,
        ...familyOf(pid, stats).map((each) => mebibytesOf(readProc(`/proc/${each.pid}/status`) ?? '', 'VmRSS')),
      ),
    ]),
  )
}

/** How often processes read and wrote, files and sockets alike, and how much. */
export interface Traffic {
  reads: number
  writes: number
  kibibytes: number
}

/** The traffic of each process, and of all that it started, so far. Zeros where the kernel does not tell. */
export function trafficOf(pids: Record<string, number>): Record<string, Traffic> {
  const stats = readStats()
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const family = familyOf(pid, stats).map((each) => readProc(`/proc/${each.pid}/io`) ?? '')
      const sum = (field: string): number =>
        family.reduce((all, io) => all + Number(new RegExp(`${field}: (\\d+)`).exec(io)?.[1] ?? 0), 0)
      const kibibytes = (sum('rchar') + sum('wchar')) / 1_024
      return [name, { reads: sum('syscr'), writes: sum('syscw'), kibibytes }]
    }),
  )
}

/**
 * Begins to watch how much of this machine's time its host gave to others. The function that it gives tells the share since then,
 * from 0 to 1; 0 where the kernel does not know.
 */
export function watchStolen(): () => number {
  const read = (): { all: number; stolen: number } => {
    const ticks = (readProc('/proc/stat') ?? '').split('\n', 1)[0]?.trim().split(/ +/).slice(1, 9).map(Number) ?? []
    return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 }
  }
  const before = read()
  return () => {
    const now = read()
    return (now.stolen - before.stolen) / Math.max(1, now.all - before.all)
  }
}

interface Stat {
  pid: number
  parent: number
  /** Seconds, those of children that have ended included. */
  cpu: number
}

function familyOf(pid: number, stats: Stat[]): Stat[] {
  const own = stats.filter((each) => each.pid === pid)
  const children = stats.filter((each) => each.parent === pid)
  return [...own, ...children.flatMap((child) => familyOf(child.pid, stats))]
}

function readStats(): Stat[] {
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

function mebibytesOf(status: string, field: string): number {
  const [, kilobytes = '0'] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(status) ?? []
  return Number(kilobytes) / 1024
}

/** Undefined when the process has ended meanwhile. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
