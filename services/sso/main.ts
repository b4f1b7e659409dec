import { run } from '@gatehouse/proto/process/run.ts'
import { type SsoConfig, settings, start } from './service.ts'

await run<SsoConfig>('sso', settings, start)
