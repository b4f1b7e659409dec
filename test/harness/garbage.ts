import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { onTestFinished } from 'vitest'

const EVERY_MS = 20

/** Collects garbage again and again until the test has finished: what only a weak reference holds must not be needed. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collecting = setInterval(runInNewContext('gc'), EVERY_MS)
  onTestFinished(() => clearInterval(collecting))
}
