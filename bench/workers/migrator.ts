import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { MigrationReport } from '../../cli/migrate/report.ts'
import { migrate } from '../../cli/migrate/run.ts'
import { Source } from '../../cli/migrate/source.ts'
import { captured } from '../../cli/testing/captured-terminal.ts'
import { resultOf, serveJobs } from './worker.ts'

/* Runs what `gatehouse migrate` does. It is connected beforehand, so that the start of Node is not measured. */

/** The system to take over, and how many guests and check-ins it has. */
export interface MigrateJob {
  worker: 'migrator'
  from: string
  account_id: string
  count: number
}

const { NATS_URL: servers = '', NAMESPACE: namespace = '' } = process.env
const bus = await connectBus({ servers, namespace, name: 'migrator', log: makeLog('migrator', 'silent') })

serveJobs(async ({ from: url, account_id, count }: MigrateJob) => {
  const stop = new AbortController().signal
  const terminal = captured()
  const source = new Source({
    url,
    token: 'bench',
    concurrency: 3,
    patienceMs: 60_000,
    stop,
    say: (line) => terminal.err.write(line),
  })
  const report = new MigrationReport(terminal.err)
  const begun = performance.now()
  await migrate({ source, bus, account_id, ids: [], report, stop }, false)
  const took = performance.now() - begun
  report.print()
  if (report.hasDifferences) throw new Error(terminal.text.err)
  return resultOf(count, took)
})
