import type { TUnsafe } from 'typebox'
import { text } from '../declaring/fields.ts'

/** A setting: how long to wait after each failed attempt. After the last one nothing is tried again. */
export function retryDelays(options: { default: string; description: string }): TUnsafe<string> {
  return text({ ...options, pattern: '^\\d+(\\.\\d+)?(,\\d+(\\.\\d+)?)*$' })
}

/** The delays of a setting of {@link retryDelays}, in ms. */
export function delaysOf(seconds: string): number[] {
  return seconds.split(',').map((each) => Number(each) * 1_000)
}
