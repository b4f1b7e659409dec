import { readdirSync, readFileSync } from 'node:fs'

/** The kernel's clock ticks, which are a hundredth of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** CPU seconds of each process and of its children so far, by name. */
export function cpuOf(pids: Record<string, number>): Record<string, number> {
  return ofEach(pids, (family) => family.reduce((sum, each) => sum + each.cpu, 0))
}

/** The memory of a process, or of its largest child: resident now and at most since its start, in MiB. */
export interface MemoryUse {
  now: number
  peak: number
  /** Its own part of `now`, and its share of the memory that several processes map: each of ours maps the same 60 MiB of node. */
  share: number
}

/** The memory of each process, by name. */
export function memoryOf(pids: Record<string, number>): Record<string, MemoryUse> {
  return ofEach(pids, (family) => ({
    now: largest(family, 'status', 'VmRSS'),
    peak: largest(family, 'status', 'VmHWM'),
    share: largest(family, 'smaps_rollup', 'Pss'),
  }))
}

/**
 * The memory of its own of each process, or of its largest child, in MiB: without mapped files and without shared memory, which is a store's
 * cache of a set size. It is cheap enough for use during a measurement, unlike `memoryOf`, which walks the page tables and blocks the process.
 */
export function ownMemoryOf(pids: Record<string, number>): Record<string, number> {
  return ofEach(pids, (family) => largest(family, 'status', 'RssAnon'))
}

/** How often processes read and wrote, files and sockets alike, and how much. */
export interface Traffic {
  reads: number
  writes: number
  kibibytes: number
}

/** The traffic of each process and of its children so far, by name. Zeros if the kernel does not report it. */
export function trafficOf(pids: Record<string, number>): Record<string, Traffic> {
  return ofEach(pids, (family) => {
    const texts = family.map(({ pid }) => readProc(`/proc/${pid}/io`) ?? '')
    const sum = (field: string): number =>
      texts.reduce((all, io) => all + Number(new RegExp(`${field}: (\\d+)`).exec(io)?.[1] ?? 0), 0)
    const kibibytes = (sum('rchar') + sum('wchar')) / 1_024
    return { reads: sum('syscr'), writes: sum('syscw'), kibibytes }
  })
}

/**
 * Watches how much of this machine's time its host gives to others. The returned function gives the share since then, from 0 to 1;
 * 0 if the kernel does not report it.
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
  /** Seconds, including those of children that have ended. */
  cpu: number
}

/** A figure of each process, computed from the process and all its descendants. */
function ofEach<T>(pids: Record<string, number>, figure: (family: Stat[]) => T): Record<string, T> {
  const stats = readStats()
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, figure(familyOf(pid, stats))]))
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

/** The largest value of a field in kB of `/proc/<pid>/<file>`, in MiB. */
function largest(family: Stat[], file: string, field: string): number {
  const sizes = family.map(({ pid }) => {
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
