import { run } from '@gatehouse/proto/process/run.ts'
import { type CheckinConfig, settings, start } from './service.ts'

await run<CheckinConfig>('checkin', settings, start)
