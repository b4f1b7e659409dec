import { run } from '@gatehouse/proto/process/run.ts'
import { type Config, settings, start } from './gateway.ts'

await run<Config>('gateway', settings, start)
