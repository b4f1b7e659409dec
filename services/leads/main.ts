import { run } from '@gatehouse/proto/serving/run.ts'
import { settings, start } from './service.ts'

await run('leads', settings, start)
