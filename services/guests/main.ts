import { run } from '@gatehouse/proto/process/run.ts'
import { type GuestsConfig, settings, start } from './service.ts'

await run<GuestsConfig>('guests', settings, start)
