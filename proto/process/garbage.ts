import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Collects garbage now. V8 does so only when a process allocates more: what a start leaves would stay in memory, 10 to 20 MiB a process, for as long as
 * nothing happens.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
