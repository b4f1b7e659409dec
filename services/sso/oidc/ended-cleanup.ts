import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { ContactStore } from '../api/contacts/store.ts'
import * as topics from '../topics.ts'
import type { ArtifactStore } from './artifacts.ts'
import type { ConsentStore } from './consents.ts'

/**
 * Deletes artifacts and consents of ended contacts and apps. Void artifacts are never accepted (adapter.ts); this keeps the store small,
 * and keeps no data of deleted contacts.
 */
export function deleteEnded(
  bus: Bus,
  log: Log,
  { artifacts, consents, contacts }: { artifacts: ArtifactStore; consents: ConsentStore; contacts: ContactStore },
): void {
  const remove = async ({ account_id, contact_id, client_id }: topics.Ended, receivedAt: Date): Promise<void> => {
    if (client_id !== undefined) {
      await artifacts.deleteOfClient(account_id, client_id, receivedAt)
      await consents.deleteOfClient(account_id, client_id)
    } else if (contact_id !== undefined) {
      await artifacts.deleteOfContact(account_id, contact_id, receivedAt)
      if (!(await contacts.get(account_id, contact_id))) await consents.deleteOfContact(account_id, contact_id)
    }
  }
  bus.listen(topics.signIns, (ended) => {
    remove(ended, new Date()).catch((err: unknown) => log.warn({ err }, 'deleting ended artifacts failed'))
  })
}
