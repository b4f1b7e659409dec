import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import { newToken } from '@gatehouse/proto/storage/tokens.ts'
import type { Dependencies } from '../dependencies.ts'
import type { apps } from './resource.ts'

/** Returns the handlers of apps, for the command line. */
export function appHandlers(dependencies: Dependencies): Handlers<typeof apps> {
  return handlersOf<typeof apps, Dependencies>(
    {
      async register({ apps, encrypter }, { body: { name }, newId }) {
        const fresh = { _id: newId(), name, sealed_secret: encrypter.encrypt(newToken()), created_at: new Date() }
        const { sealed_secret, ...app } = await apps.insert(fresh)
        return { ...app, signing_secret: encrypter.decrypt(sealed_secret) }
      },
      list: ({ apps }) => apps.all(),
      revoke: async ({ apps }, { body }) => found(await apps.delete(body.app_id)),
    },
    dependencies,
  )
}
