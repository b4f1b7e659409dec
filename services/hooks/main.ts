import { constants, setPriority } from 'node:os'
import { run } from '@gatehouse/proto/serving/run.ts'
import { settings, start } from './service.ts'

// Other processes of the machine, such as checkin, have priority.
setPriority(constants.priority.PRIORITY_LOW)
await run('hooks', settings, start)
