import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadResult } from './load.ts'

/** A process that is told what to do and answers what it came to. */
export interface Worker<Job, Result = LoadResult> {
  pid: number
  run(job: Job): Promise<Result>
  stop(): void
}

type Answer<Result> = { result: Result } | { error: string } | { ready: true }

/** Starts a worker of this folder. One that has to get ready says so first. */
export async function startWorker<Job extends object, Result = LoadResult>(
  file: string,
  { env = {}, announces = false }: { env?: Record<string, string>; announces?: boolean } = {},
): Promise<Worker<Job, Result>> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { env: { ...process.env, ...env } })
  if (announces) await next(child, file)
  return {
    pid: child.pid as number,
    run: async (job) => {
      child.send(job)
      const answer = await next<Result>(child, file)
      if ('result' in answer) return answer.result
      throw new Error(`${file}: ${'error' in answer ? answer.error : 'said nothing of use'}`)
    },
    stop: () => {
      if (child.connected) child.disconnect()
    },
  }
}

function next<Result>(child: ChildProcess, file: string): Promise<Answer<Result>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`${file} ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (answer) => {
      child.off('exit', ended)
      resolve(answer as Answer<Result>)
    })
  })
}
