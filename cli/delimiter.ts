import { InvalidArgumentError } from 'commander'

/** Reads a `--delimiter`: `,`, `;`, `tab` or any other single character that can separate cells. */
export function readDelimiter(given: string): string {
  if (given === 'tab' || given === '\t' || given === '\\t') return '\t'
  if (given.length === 1 && !/["\s]/.test(given)) return given
  throw new InvalidArgumentError('It has to be a single sign, or tab.')
}
