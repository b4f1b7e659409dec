import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** What a load came to: by status, the milliseconds that each answer took, sorted. */
export type ResponseTimes = Record<number, number[]>

const PAUSE_MS = 250

interface Plan {
  url: string
  connections: number
}

/** A load that goes on until it is stopped, in a thread of its own, so that what the test measures beside it is not delayed by it. */
export interface Load {
  stop(): Promise<ResponseTimes>
}

/**
 * Sends GET requests over several connections, each as soon as the one before is answered, and a moment after a refusal: these clients are
 * more impatient than `Retry-After` allows.
 */
export async function startLoad(plan: Plan): Promise<Load> {
  const worker = new Worker(new URL(import.meta.url), { workerData: plan })
  await once(worker, 'online')
  return {
    async stop() {
      worker.postMessage('stop')
      const [outcome] = (await once(worker, 'message')) as [ResponseTimes]
      await worker.terminate()
      return outcome
    },
  }
}

if (!isMainThread && parentPort && (workerData as Partial<Plan> | null)?.connections) {
  const { url, connections } = workerData as Plan
  const agent = new Agent({ keepAlive: true })
  const outcome: ResponseTimes = {}
  let isOver = false
  parentPort.once('message', () => {
    isOver = true
  })
  const send = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const start = performance.now()
      get(url, { agent }, (answer) => {
        answer.resume().once('end', () => {
          const { statusCode = 0 } = answer
          outcome[statusCode] ??= []
          outcome[statusCode].push(performance.now() - start)
          resolve(answer.statusCode)
        })
      }).once('error', reject)
    })
  const client = async (): Promise<void> => {
    while (!isOver) if ((await send()) !== 200) await sleep(PAUSE_MS)
  }
  await Promise.all(Array.from({ length: connections }, client))
  for (const times of Object.values(outcome)) times.sort((a, b) => a - b)
  parentPort.postMessage(outcome)
}
