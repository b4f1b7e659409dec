import type { DrillRecord } from '../record.ts'
import type { ScanAttempt, Shown } from './attempts.ts'

const COLUMNS: { [head: string]: (attempt: ScanAttempt) => boolean } = {
  scans: () => true,
  'by the server': ({ shown }) => isBy(shown[0], 'server'),
  'by the device': ({ shown }) => isBy(shown[0], 'device'),
  undecided: ({ shown }) => isBy(shown[0], 'nobody'),
  'then confirmed': ({ shown }) => shown.length > 1 && isBy(shown.at(-1), 'server'),
  'not taken': ({ shown }) => isBy(shown.at(-1), 'app'),
  questions: ({ shown }) => isBy(shown[0], 'question'),
  'let in': ({ how }) => how === 'answered',
  'walk-ins': ({ how }) => how === 'walk-in',
  undone: ({ undo }) => undo !== undefined,
  'cut short': ({ isCutShort }) => isCutShort,
}

/** A table with a line for each scanner, and why scans were not taken. */
export function scannerTable({ attempts, endings, kills, weather }: DrillRecord): string[] {
  const rows = weather.map(({ requests, lost, slow, cuts }, number) => {
    const made = attempts.filter(({ scanner }) => scanner === number)
    const counts = Object.values(COLUMNS).map((counts) => made.filter(counts).length)
    const differences = endings[number]?.differences.length ?? '?'
    return [number, ...counts, differences, kills[number] ?? 0, requests, lost, slow, cuts].map(String)
  })
  const heads = ['scanner', ...Object.keys(COLUMNS), 'differences', 'tabs killed', 'requests', 'lost', 'slow', 'cuts']
  const table = [heads, ...rows].map((cells) => cells.map((cell, n) => cell.padStart(heads[n]?.length ?? 0)).join('  '))
  return [...table, ...notTaken(attempts)]
}

/** Why apps did not take scans, a line for each reason. */
function notTaken(attempts: readonly ScanAttempt[]): string[] {
  const texts = attempts.flatMap(({ shown }) => {
    const last = shown.at(-1)
    return last?.by === 'app' ? [last.text] : []
  })
  return [...Map.groupBy(texts, (text) => text)].map(([text, all]) => `not taken, ${all.length} times: ${text}`)
}

function isBy(shown: Shown | undefined, by: Shown['by']): boolean {
  return shown?.by === by
}
