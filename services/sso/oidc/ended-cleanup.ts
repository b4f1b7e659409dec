import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { ContactStore } from '../contacts/store.ts'
import { ENDINGS, type Ending } from '../ended-sign-ins.ts'
import type { ArtifactStore } from './artifacts.ts'
import type { ConsentStore } from './consents.ts'

/**
 * Removes what a contact or an app was given when it has ended. What is void is never accepted anyway (adapter.ts); this spares the
 * store what nobody can use, and keeps nothing of those who are gone.
 */
export function removeWhatEnds(
  bus: Bus,
  log: Log,
  { artifacts, consents, contacts }: { artifacts: ArtifactStore; consents: ConsentStore; contacts: ContactStore },
): void {
  const remove = async (ending: Ending, heard: Date): Promise<void> => {
    const { account_id } = ending
    if ('client_id' in ending) {
      await artifacts.deleteOfClient(account_id, ending.client_id, heard)
      await consents.deleteOfClient(account_id, ending.client_id)
      return
    }
    await artifacts.deleteOfContact(account_id, ending.contact_id, heard)
    if (!(await contacts.get(account_id, ending.contact_id))) {
      await consents.deleteOfContact(account_id, ending.contact_id)
    }
  }
  bus.listen(ENDINGS, (text) => {
    remove(JSON.parse(text) as Ending, new Date()).catch((err: unknown) =>
      log.warn({ err }, 'what has ended stays stored'),
    )
  })
}
