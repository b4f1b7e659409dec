import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { note } from './note.ts'
import { read } from './read.ts'
import { report } from './report.ts'
import type { scanTimes } from './resource.ts'

/** Returns the handlers of times of scans. */
export function scanTimeHandlers(dependencies: Dependencies): Handlers<typeof scanTimes> {
  return handlersOf<typeof scanTimes, Dependencies>({ read, report, note }, dependencies)
}
