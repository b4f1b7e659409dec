/** Makes this process a worker (`worker.ts`): it runs each job that its parent sends, and answers with the result or the error. */
export function serveJobs<Job>(run: (job: Job) => Promise<unknown>): void {
  process.on('message', (job: Job) => {
    run(job).then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.message }),
    )
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ ready: true })
}
