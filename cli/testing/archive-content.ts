import { entriesOf } from './archive-entries.ts'

/** The entries of an archive of an event, by name; without when it was made, and seals, which differ each time. */
export async function contentOf(file: string): Promise<Record<string, string>> {
  const entries = Object.entries(await entriesOf(file)).map(([name, text]) => [
    name,
    text.replace(/20\d\d-[\d-]+T[\d:.]+Z\b(?=",?\n {2}"records|\. The)/, '').replace(/\{"\$seal".*\n/, ''),
  ])
  return Object.fromEntries(entries) as Record<string, string>
}
