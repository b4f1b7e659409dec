import { run } from '@gatehouse/proto/process/run.ts'
import { settings, start } from './service.ts'

await run('sso', settings, start)
