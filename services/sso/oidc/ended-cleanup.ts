import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { ContactStore } from '../contacts/store.ts'
import { ENDED_SIGN_INS, type EndedSignIn } from '../ended-sign-ins.ts'
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
  const remove = async (ended: EndedSignIn, receivedAt: Date): Promise<void> => {
    const { account_id } = ended
    if ('client_id' in ended) {
      await artifacts.deleteOfClient(account_id, ended.client_id, receivedAt)
      await consents.deleteOfClient(account_id, ended.client_id)
      return
    }
    await artifacts.deleteOfContact(account_id, ended.contact_id, receivedAt)
    if (!(await contacts.get(account_id, ended.contact_id))) {
      await consents.deleteOfContact(account_id, ended.contact_id)
    }
  }
  bus.listen(ENDED_SIGN_INS, (text) => {
    remove(JSON.parse(text) as EndedSignIn, new Date()).catch((err: unknown) =>
      log.warn({ err }, 'void artifacts could not be deleted'),
    )
  })
}
