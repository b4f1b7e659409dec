import { run } from '@gatehouse/proto/process/run.ts'
import { type Config, settings, start } from './service.ts'

await run<Config>('mail', settings, start)
