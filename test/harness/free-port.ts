import { randomInt } from 'node:crypto'
import { isFree } from '@gatehouse/local/ports'

/** Below the range that connections and servers without a port of their own get theirs from, and above what `fetch` refuses. */
const LOWEST = 10_100
/** Each test file that runs at the same time has some of its own. */
const EACH = 1_700
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 4

/** A port of the loopback interface that nobody listens on, nor will before the test does. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + worker * EACH + randomInt(EACH)
    if (await isFree(port)) return port
  }
}
