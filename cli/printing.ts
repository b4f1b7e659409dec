import { escapeValue } from '@gatehouse/proto/process/control-characters.ts'
import { say, type Terminal } from './terminal.ts'

/** Prints what a command gives: with `--json` as one line of JSON, otherwise these lines. Control characters are escaped. */
export function print({ out }: Terminal, { json }: { json?: boolean }, result: unknown, ...lines: string[]): void {
  for (const line of json ? [JSON.stringify(result)] : lines) say(out, line)
}

/** A line of values with tabs between them; there are none after the last value. */
export function columns(...values: (string | number)[]): string {
  return values
    .map((value) => escapeValue(String(value)))
    .join('\t')
    .trimEnd()
}
