import { Worker } from 'node:worker_threads'
import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'

/** A logo as it is printed: an opaque PNG, whose data pdfkit takes as they are. */
export interface Raster {
  png: Uint8Array
  /** In pixels. */
  width: number
  height: number
}

/** What a worker is given. */
export interface RasterOrder {
  bytes: Uint8Array
  media: string
}

/** The time of a processor that a logo may take, in microseconds: a drawing with filters may take very long. */
const LONGEST_US = 5_000_000
const LOOK_EVERY_MS = 250

/** Logos are drawn one after the other: each may take much memory. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Draws a logo as pixels, on white. It runs in a thread of its own, which is ended once it has taken 5 s of a
 * processor, however busy the machine is. Throws a `Fault` if the logo cannot be drawn or
 * has more than 4,096 pixels on a side.
 */
export function rasterized(order: RasterOrder): Promise<Raster> {
  const mine = last.then(() => drawn(order))
  last = mine.catch(() => {})
  return mine
}

async function drawn(order: RasterOrder): Promise<Raster> {
  const worker = new Worker(new URL('./raster-worker.ts', import.meta.url), { workerData: order })
  const { promise, resolve, reject } = Promise.withResolvers<Raster>()
  const look = async (): Promise<void> => {
    const { user, system } = await worker.cpuUsage()
    if (user + system > LONGEST_US) reject(new Error('drawing a logo takes too long'))
  }
  // It cannot be looked at before it runs, nor afterwards.
  const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS)
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', () => reject(new Error('a logo was not drawn')))
  try {
    return await promise
  } catch {
    throw invalid({ file: [messageOf('unreadable_picture')] })
  } finally {
    clearInterval(timer)
    await worker.terminate()
  }
}
