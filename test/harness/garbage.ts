import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { onTestFinished } from 'vitest'

const EVERY_MS = 100

/** Collects garbage once. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

/** Collects garbage again and again until the test has finished: what only a weak reference holds must not be needed. */
export function keepCollectingGarbage(): void {
  const collecting = setInterval(collectGarbage, EVERY_MS)
  onTestFinished(() => clearInterval(collecting))
}
