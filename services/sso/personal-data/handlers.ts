import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { personalData } from '../resources.ts'
import type { Dependencies } from './dependencies.ts'
import { erase } from './erase.ts'
import { exportPage } from './export.ts'
import { find } from './find.ts'

/** Returns the handlers of personal data, which decide about the contact of a person. */
export function contactDataHandlers(dependencies: Dependencies): Handlers<typeof personalData> {
  return handlersOf<typeof personalData, Dependencies>({ find, erase, export: exportPage }, dependencies)
}
