import type { Random } from '@gatehouse/cli/demo/random.ts'
import type { DoorClient } from './client.ts'
import type { DrillEvent } from './drill-event.ts'
import { now } from './record.ts'
import { send } from './scanning.ts'

/** Connections that scan without a break. */
const CONNECTIONS = 128

/**
 * Scans in a closed loop on 128 connections for some milliseconds; returns the answered scans/s. `part` is one of three parts of the guests
 * (0, 1, 2), so that earlier scans make no difference.
 */
export async function scanFully(
  client: DoorClient,
  drillEvent: DrillEvent,
  chance: Random,
  part: number,
  forMs: number,
): Promise<number> {
  const size = Math.floor(drillEvent.queueUids.length / 3)
  const until = now() + forMs
  let answered = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, n) => {
      const device = client.at(n)
      while (now() < until) {
        const uid = drillEvent.queueUids[part * size + chance.below(size)] as string
        const scan = client.record.scan(chance.pick(drillEvent.pointsOf(uid)), 'single')
        if ((await send(device, scan, undefined)) && now() <= until) answered++
      }
    }),
  )
  return Math.round(answered / (forMs / 1000))
}

/** Holds devices back during a measurement. */
export class DeviceGate {
  #open: PromiseWithResolvers<void> | undefined

  /** Keeps the gate closed during some work. */
  async closedFor<T>(during: () => Promise<T>): Promise<T> {
    this.#open = Promise.withResolvers<void>()
    try {
      return await during()
    } finally {
      this.#open.resolve()
      this.#open = undefined
    }
  }

  /** Resolves when the gate is open. */
  async passing(): Promise<void> {
    await this.#open?.promise
  }
}
