import { run } from '@gatehouse/proto/process/run.ts'
import type { SealedConfig } from '@gatehouse/proto/storage/encryption.ts'
import { settings, start } from './service.ts'

await run<SealedConfig>('leads', settings, start)
