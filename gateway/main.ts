import { run } from '@gatehouse/proto/process/run.ts'
import { settings, start } from './gateway.ts'

await run('gateway', settings, start)
