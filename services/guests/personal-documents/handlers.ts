import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { exportDocuments } from './export.ts'
import type { personalDocuments } from './resource.ts'

/** Returns the handlers that export personal data. */
export function personalDocumentHandlers(dependencies: Dependencies): Handlers<typeof personalDocuments> {
  return handlersOf<typeof personalDocuments, Dependencies>({ export: exportDocuments }, dependencies)
}
