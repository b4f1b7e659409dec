import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const MIB = 2 ** 20
const LOOK_EVERY_MS = 50
const WITHIN_MS = 30_000

/** Memory of a process in bytes: in use after a collection of garbage, and resident. */
export interface Memory {
  heap: number
  rss: number
}

/** The memory of each process; those that do not run are left out. `folder` is where they write it (collected.ts). */
export async function memoryOf(
  pids: Record<string, number | undefined>,
  folder: string,
): Promise<Record<string, Memory>> {
  const found = Object.entries(pids).map(async ([name, pid]) => {
    if (pid === undefined) return []
    const file = join(folder, `${pid}.json`)
    await rm(file, { force: true })
    process.kill(pid, 'SIGUSR2')
    const last = performance.now() + WITHIN_MS
    for (;;) {
      const text = await readFile(file, 'utf8').catch(() => '')
      if (text.endsWith('}')) return [[name, JSON.parse(text) as Memory] as const]
      if (performance.now() > last) throw new Error(`${name} does not say how much memory it uses`)
      await sleep(LOOK_EVERY_MS)
    }
  })
  return Object.fromEntries((await Promise.all(found)).flat())
}

/** Growth that caches of a set size account for, in bytes. */
const MAX_GROWTH: Memory = { heap: 32 * MIB, rss: 128 * MIB }

/** The processes that have grown too much, with a sentence for each. */
export function growthProblems(before: Record<string, Memory>, after: Record<string, Memory>): string[] {
  return Object.entries(after).flatMap(([name, { heap, rss }]) => {
    const known = before[name]
    if (!known) return []
    const isGrown = heap - known.heap > MAX_GROWTH.heap || rss - known.rss > MAX_GROWTH.rss
    return isGrown ? [`${name} has grown: ${memoryLine(known, { heap, rss })}`] : []
  })
}

/** `heap 20 → 24 MiB, resident 120 → 130 MiB`. */
export function memoryLine(before: Memory, after: Memory): string {
  const inMib = (bytes: number): string => (bytes / MIB).toFixed(0)
  return `heap ${inMib(before.heap)} → ${inMib(after.heap)} MiB, resident ${inMib(before.rss)} → ${inMib(after.rss)} MiB`
}
