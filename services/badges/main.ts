import { constants, setPriority } from 'node:os'
import { run } from '@gatehouse/proto/serving/run.ts'
import { settings, start } from './service.ts'

// Thousands of badges may be drawn while guests are being checked in: other processes of the machine have priority.
setPriority(constants.priority.PRIORITY_LOW)

await run('badges', settings, start)
