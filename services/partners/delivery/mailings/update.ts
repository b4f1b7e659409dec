import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Mailing, mailings } from './resource.ts'
import { shown } from './shown.ts'
import { errorsOf } from './validation.ts'

/** Changes fields of a mailing. */
export async function update(
  dependencies: Dependencies,
  { params: { event_id, id }, body: given, accept }: Call<(typeof mailings)['actions']['update']>,
): Promise<Mailing> {
  const stored = found(await dependencies.mailings.get(event_id, id))
  const body = await accept(await errorsOf(dependencies, event_id, given, stored))
  return shown(dependencies, found(await dependencies.mailings.update(event_id, id, body)))
}
