import { run } from '@gatehouse/proto/process/run.ts'
import { settings, start } from './service.ts'

await run('checkin', settings, start)
