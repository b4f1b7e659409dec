import { SCANNER_INVARIANTS } from '../invariants.ts'
import { answersOf, verdictOf } from '../report.ts'
import type { ScannerOutcome } from './scanner-drill.ts'
import type { ScanAttempt, Shown } from './scanner-record.ts'

const COLUMNS = {
  scans: () => true,
  'by the server': ({ shown }: ScanAttempt) => isBy(shown[0], 'server'),
  'by the device': ({ shown }: ScanAttempt) => isBy(shown[0], 'device'),
  undecided: ({ shown }: ScanAttempt) => isBy(shown[0], 'nobody'),
  'then confirmed': ({ shown }: ScanAttempt) => shown.length > 1 && isBy(shown.at(-1), 'server'),
  'not taken': ({ shown }: ScanAttempt) => isBy(shown.at(-1), 'app'),
  'cut short': ({ isCutShort }: ScanAttempt) => isCutShort,
}

/** The report of a drill with scanners, in lines. */
export function scannerReportOf({ record, compared, networks }: ScannerOutcome): string[] {
  const table = networks.map((network, number) => {
    const made = record.attempts.filter(({ scanner }) => scanner === number)
    const counts = Object.values(COLUMNS).map((counts) => made.filter(counts).length)
    const { requests, lost, slow, cuts } = network.weather
    const differences = record.endings[number]?.differences.length ?? '?'
    return [number, ...counts, differences, record.kills[number] ?? 0, requests, lost, slow, cuts].map(String)
  })
  const heads = ['scanner', ...Object.keys(COLUMNS), 'differences', 'tabs killed', 'requests', 'lost', 'slow', 'cuts']
  return [
    ...[heads, ...table].map((cells) => cells.map((cell, n) => cell.padStart(heads[n]?.length ?? 0)).join('  ')),
    ...answersOf({ record, compared }),
    ...verdictOf(record, SCANNER_INVARIANTS),
  ]
}

function isBy(shown: Shown | undefined, by: Shown['by']): boolean {
  return shown?.by === by
}
