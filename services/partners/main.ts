import { run } from '@gatehouse/proto/process/run.ts'
import { type PartnersConfig, settings, start } from './service.ts'

await run<PartnersConfig>('partners', settings, start)
