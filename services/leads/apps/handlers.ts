import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { apps } from './resource.ts'
import type { AppStore } from './store.ts'

/** Handlers of apps, for the command line. */
export function appHandlers(store: AppStore, encrypter: Encrypter): Handlers<typeof apps> {
  return {
    async register({ body, newId }) {
      const fresh = {
        _id: newId(),
        name: body.name,
        sealed_secret: encrypter.encrypt(newToken()),
        created_at: new Date(),
      }
      const { sealed_secret, ...app } = await store.insert(fresh)
      return { ...app, signing_secret: encrypter.decrypt(sealed_secret) }
    },

    list: async () => store.all(),
    revoke: async ({ body }) => found(await store.delete(body.app_id)),
  }
}
