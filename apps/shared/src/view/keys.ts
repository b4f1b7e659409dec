import { useLayoutEffect } from 'preact/hooks'
import { listenToKeys } from '../codes/keyboard.ts'

/** Scans what a hand-held reader types while `scan` is given, from the moment in which the view is there: an effect after the next paint would miss keys. */
export function useKeys(scan: Parameters<typeof listenToKeys>[0] | undefined): void {
  useLayoutEffect(() => scan && listenToKeys(scan), [scan === undefined])
}
