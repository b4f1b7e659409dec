import { run } from '@gatehouse/proto/service.ts'
import { type HooksConfig, settings, start } from './service.ts'

await run<HooksConfig>('hooks', settings, start)
