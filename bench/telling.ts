import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Told } from './report.ts'
import type { World } from './world.ts'

const LOOK_MS = 50
/** Deliveries are put off while the machine is busy, not for ever. */
const PATIENCE_MS = 5 * 60_000

/**
 * Has a webhook told of each check-in. The function that it gives, called when so many were answered, waits until the receiver has heard of
 * every one of them. Throws when it has not within five minutes.
 */
export async function beginTelling(world: World, receiver: string): Promise<(requests: number) => Promise<Told>> {
  const url = `${receiver}/${randomUUID()}`
  const count = async (): Promise<number> => Number(await (await fetch(url)).text())
  const end = await world.tell(url)
  return async (requests) => {
    const begun = performance.now()
    const during = await count()
    for (let told = during; told < requests; told = await count()) {
      if (performance.now() - begun > PATIENCE_MS) throw new Error(`told of ${told} check-ins of ${requests}`)
      await sleep(LOOK_MS)
    }
    const seconds = (performance.now() - begun) / 1_000
    await end()
    return { during, afterwards: requests - during, seconds }
  }
}
