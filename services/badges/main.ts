import { constants, setPriority } from 'node:os'
import { run } from '@gatehouse/proto/process/run.ts'
import { type Config, settings, start } from './service.ts'

// Thousands of badges may have to be drawn while guests stand at the door: the other processes of the machine go first.
setPriority(constants.priority.PRIORITY_LOW)

await run<Config>('badges', settings, start)
