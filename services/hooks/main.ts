import { constants, setPriority } from 'node:os'
import { run } from '@gatehouse/proto/process/run.ts'
import { type HooksConfig, settings, start } from './service.ts'

// On a machine that the door shares, the door goes first.
setPriority(constants.priority.PRIORITY_LOW)
await run<HooksConfig>('hooks', settings, start)
