import { run } from '@gatehouse/proto/serving/run.ts'
import { settings, start } from './gateway.ts'

await run('gateway', settings, start)
