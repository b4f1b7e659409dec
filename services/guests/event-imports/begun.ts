import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { type Caller, type Output, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../dependencies.ts'
import type { StoredEvent } from '../events/store.ts'
import type { eventImports } from './resource.ts'

/** The account of a caller who may make events: a token that is bound to one may not. */
export function accountOf(caller: Caller | undefined): string {
  const { account_id, event_id } = required(caller)
  if (event_id) throw new Fault('forbidden')
  return account_id
}

/** An import of an account that is not complete. */
export async function importOf({ events }: Dependencies, account_id: string, _id: string): Promise<StoredEvent> {
  const [event] = await events.imports(account_id, _id)
  return found(event ?? null)
}

/** An import as it goes out. */
export function shown({ _id, title, importing, created_at }: StoredEvent): Output<typeof eventImports.actions.finish> {
  return { _id, title, begun_at: importing?.since ?? created_at }
}
