import { randomBytes } from 'node:crypto'
import { notFound } from '@gatehouse/proto/declaring/faults.ts'
import type { Handlers } from '@gatehouse/proto/declaring/resource.ts'
import type { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import type { apps } from './resource.ts'
import type { AppStore } from './store.ts'

/** What the command line asks of apps. */
export function appHandlers(store: AppStore, encrypter: Encrypter): Handlers<typeof apps> {
  return {
    async register({ body, newId }) {
      const signing_secret = randomBytes(32).toString('base64url')
      const app = { _id: newId(), name: body.name, created_at: new Date() }
      await store.insert({ ...app, sealed_secret: encrypter.encrypt(signing_secret) })
      return { ...app, signing_secret }
    },

    async list() {
      return store.all()
    },

    async revoke({ body }) {
      const app = await store.delete(body.app_id)
      if (!app) throw notFound()
      return app
    },
  }
}
