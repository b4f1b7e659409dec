import { escapeValue } from '@gatehouse/proto/process/control-characters.ts'
import { say } from './terminal.ts'

/** Prints what a command gives: with `--json` as one line of JSON, otherwise these lines. Control characters are escaped. */
export function print({ json }: { json?: boolean }, result: unknown, ...lines: string[]): void {
  for (const line of json ? [JSON.stringify(result)] : lines) say(process.stdout, line)
}

/** A line of values with tabs between them; there are none after the last value. */
export function columns(...values: (string | number)[]): string {
  return values
    .map((value) => escapeValue(String(value)))
    .join('\t')
    .trimEnd()
}
