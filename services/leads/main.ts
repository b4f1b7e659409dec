import { run } from '@gatehouse/proto/process.ts'
import type { SealedConfig } from '@gatehouse/proto/sealing.ts'
import { settings, start } from './service.ts'

await run<SealedConfig>('leads', settings, start)
