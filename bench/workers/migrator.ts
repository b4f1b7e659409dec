import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { kinds, takeEvents } from '../../cli/migrate/kinds.ts'
import { MigrationReport } from '../../cli/migrate/report.ts'
import { eventsOf, takeKind } from '../../cli/migrate/run.ts'
import { Source } from '../../cli/migrate/source.ts'
import { captured } from '../../cli/testing/captured-terminal.ts'
import { resultOf, serveJobs } from './worker.ts'

/* Runs what `gatehouse migrate` does, kind by kind. It is connected beforehand, so that the start of Node is not measured. */

/** The event to take over, and which of its kinds is measured; what that needs is taken before. */
export interface MigrateJob {
  worker: 'migrator'
  from: string
  account_id: string
  kind: 'guests' | 'access_controls'
  count: number
}

const { NATS_URL: servers = '', NAMESPACE: namespace = '' } = process.env
const bus = await connectBus({ servers, namespace, name: 'migrator', log: makeLog('migrator', 'silent') })

serveJobs(async ({ from: url, account_id, kind: measured, count }: MigrateJob) => {
  const stop = new AbortController().signal
  const terminal = captured()
  const source = new Source({ url, token: 'bench', concurrency: 3, stop, say: (line) => terminal.err.write(line) })
  const report = new MigrationReport(terminal.err)
  const to = { bus, account_id, compares: false }
  const options = { source, bus, account_id, ids: [], report, stop }
  const [event] = await eventsOf(source, [])
  if (!event) throw new Error('there is no event')
  await takeEvents(to, [event])
  for (const kind of kinds) {
    const start = performance.now()
    await takeKind(options, to, event, kind)
    if (kind.name !== measured) continue
    const took = performance.now() - start
    if (report.hasDifferences) throw new Error(terminal.text.err)
    return resultOf(count, took)
  }
  throw new Error(`there is no kind ${measured}`)
})
