import { cpuOf, memoryOf } from '@gatehouse/test/load/processes.ts'
import { kindOf, type RealSystem } from '@gatehouse/test/load/system.ts'

/**
 * Watches what processes take of the machine. The returned function gives a line: of each kind the most memory that one has taken since its start,
 * and the largest part of a processor since then, of processes that were not replaced.
 */
export function watchUsage(system: RealSystem, names: readonly string[]): () => string {
  const pidsOf = (): Record<string, number> =>
    Object.fromEntries(names.flatMap((name) => ((pid) => (pid ? [[name, pid]] : []))(system.pidOf(name))))
  const [pids, cpu, at] = [pidsOf(), cpuOf(pidsOf()), performance.now()]
  return () => {
    const seconds = (performance.now() - at) / 1_000
    const [pidsNow, memoryNow, cpuNow] = [pidsOf(), memoryOf(pidsOf()), cpuOf(pidsOf())]
    const kinds = Map.groupBy(Object.keys(pidsNow), kindOf)
    const figures = [...kinds].map(([kind, own]) => {
      const peak = Math.max(...own.map((name) => memoryNow[name]?.peak ?? 0))
      const kept = own.filter((name) => pids[name] === pidsNow[name])
      const shares = kept.map((name) => ((cpuNow[name] ?? 0) - (cpu[name] ?? 0)) / seconds)
      return `${kind} ${Math.round(peak)} MiB${kept.length > 0 ? ` ${Math.round(Math.max(...shares) * 100)} %` : ''}`
    })
    return `memory at most, and part of a processor: ${figures.join(', ')}`
  }
}
