import type { Database } from './database.ts'

let last = 0

/** The next number in the order of what this device does: about the time in ms, but it never goes back, as a clock may that is corrected. */
export function tick(): number {
  last = Math.max(last + 1, Date.now())
  return last
}

/** Goes on after the last number that is kept on this device. */
export async function continueTicks(database: Database): Promise<void> {
  const [asked, ...judged] = await Promise.all([
    database.getAllKeys('snapshot'),
    database.getAllFromIndex('scans', 'state', 'confirmed'),
    database.getAllFromIndex('scans', 'state', 'refused'),
    database.getAllFromIndex('scans', 'state', 'undone'),
  ])
  const concluded = judged.flat().map(({ concluded_at, undone_at }) => undone_at ?? concluded_at ?? 0)
  for (const kept of [...asked, ...concluded]) last = Math.max(last, kept)
}
