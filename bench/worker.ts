import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadResult } from './load.ts'

/** A process that runs jobs, one at a time (`serve-jobs.ts`). */
export interface BenchWorker<Job, Result = LoadResult> {
  pid: number
  run(job: Job): Promise<Result>
  stop(): void
}

type JobAnswer<Result> = { result: Result } | { error: string }

/** Starts a worker from a file of this folder; resolves when it is ready. */
export async function startWorker<Job extends object, Result = LoadResult>(
  file: string,
  env: Record<string, string> = {},
): Promise<BenchWorker<Job, Result>> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { env: { ...process.env, ...env } })
  await next(child, file)
  return {
    pid: child.pid as number,
    run: async (job) => {
      child.send(job)
      const answer = await next<Result>(child, file)
      if ('error' in answer) throw new Error(`${file}: ${answer.error}`)
      return answer.result
    },
    stop: () => {
      if (child.connected) child.disconnect()
    },
  }
}

function next<Result>(child: ChildProcess, file: string): Promise<JobAnswer<Result>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`${file} ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (answer) => {
      child.off('exit', ended)
      resolve(answer as JobAnswer<Result>)
    })
  })
}
