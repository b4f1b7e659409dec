import { randomInt } from 'node:crypto'
import { isFree } from '@gatehouse/local/ports'

/** Below the range of ephemeral ports, and above the ports which `fetch` refuses. */
const LOWEST = 10_100
/** Ports of each worker: test files which run at the same time use different ones. */
const EACH = 1_100
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % 6

let last = randomInt(EACH)

/** Gives a free port of the loopback interface, which no other process of the tests takes before the test does. */
export async function freePort(): Promise<number> {
  for (;;) {
    // One after the other: a port which was given is perhaps not in use yet.
    last = (last + 1) % EACH
    const port = LOWEST + worker * EACH + last
    if (await isFree(port)) return port
  }
}
