import { getPriority, setPriority } from 'node:os'
import { run } from '@gatehouse/proto/process.ts'
import { type HooksConfig, settings, start } from './service.ts'

// On a machine that the door shares, the door goes first.
setPriority(Math.max(getPriority(), 10))
await run<HooksConfig>('hooks', settings, start)
