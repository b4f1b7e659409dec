/** Prints what a command gives: with `--json` as one line of JSON, otherwise these lines. */
export function print({ json }: { json?: boolean }, result: unknown, ...lines: string[]): void {
  for (const line of json ? [JSON.stringify(result)] : lines) console.log(line)
}

/** A line of values with tabs between them; there are none after the last value. */
export function columns(...values: (string | number)[]): string {
  return values.join('\t').trimEnd()
}
