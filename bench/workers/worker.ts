import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The result of a job. Latencies are in milliseconds, sorted. */
export interface LoadResult {
  requests: number
  seconds: number
  latencies: number[]
  /** Answers by status; none of a job without requests over HTTP. */
  statuses?: Record<string, number>
}

/** A process that runs jobs, one at a time. */
export interface Worker<Job> {
  pid: number
  run(job: Job): Promise<LoadResult>
  stop(): void
}

type JobAnswer = { result: LoadResult } | { error: string }

/** Starts a worker from a file of this folder; resolves when it is ready. */
export async function startWorker<Job extends object>(name: string, env: Record<string, string>): Promise<Worker<Job>> {
  const child = fork(fileURLToPath(new URL(`${name}.ts`, import.meta.url)), { env: { ...process.env, ...env } })
  await nextMessage(child, name)
  return {
    pid: child.pid as number,
    run: async (job) => {
      child.send(job)
      const answer = await nextMessage(child, name)
      if ('error' in answer) throw new Error(`${name}: ${answer.error}`)
      return answer.result
    },
    stop: () => {
      if (child.connected) child.disconnect()
    },
  }
}

function nextMessage(child: ChildProcess, name: string): Promise<JobAnswer> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`${name} ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (answer) => {
      child.off('exit', ended)
      resolve(answer as JobAnswer)
    })
  })
}

/** Makes this process a worker: it runs each job that its parent sends, and answers with the result or the error. */
export function serveJobs<Job>(run: (job: Job) => Promise<LoadResult>): void {
  process.on('message', (job: Job) => {
    run(job).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.message }),
    )
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ ready: true })
}

/** The result of work that took so long, in ms, for so many requests. */
export function resultOf(requests: number, tookMs: number, latencies: number[] = [tookMs]): LoadResult {
  return { requests, seconds: tookMs / 1_000, latencies: latencies.sort((a, b) => a - b) }
}
