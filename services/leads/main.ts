import { run } from '@gatehouse/proto/process/run.ts'
import type { EncryptionConfig } from '@gatehouse/proto/storage/encryption.ts'
import { settings, start } from './service.ts'

await run<EncryptionConfig>('leads', settings, start)
