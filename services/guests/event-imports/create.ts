import { conflict, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { begin } from '../event-archives/importing.ts'
import { accountOf, shown } from './begun.ts'
import type { eventImports } from './resource.ts'
import { checkSeal, EVENT_COLLECTION } from './seals.ts'

type Create = typeof eventImports.actions.create

/** Begins the import of an archive that this Gatehouse made. */
export async function create(dependencies: Dependencies, { body, caller }: Call<Create>): Promise<Output<Create>> {
  const account_id = accountOf(caller)
  const { documents: event, from_account_id } = body
  checkSeal(dependencies, { ...body, event_id: idOf(event), collection: EVENT_COLLECTION }, Object.keys(body))
  const { outcome, stored } = await begin(dependencies, { account_id, from_account_id, event })
  if (outcome === 'exists') throw conflict(messageOf('event_there'))
  if (outcome === 'deleting') throw conflict(messageOf('event_being_deleted'))
  if (outcome === 'differs') throw conflict(messageOf('other_archive_begun'))
  if (!stored) throw invalid({ documents: [messageOf('invalid')] })
  return shown(stored)
}

/** The id of the event in a line; nothing if it is none. */
function idOf(line: string): string {
  try {
    const { _id } = JSON.parse(line) as { _id?: unknown }
    return typeof _id === 'string' ? _id : ''
  } catch {
    return ''
  }
}
