import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import * as topics from '../../topics.ts'
import type { Dependencies } from '../dependencies.ts'
import { create } from './create.ts'
import { me } from './me.ts'
import { resolve } from './resolve.ts'
import type { apiTokens } from './resource.ts'

/** Returns the handlers of API tokens. */
export function apiTokenHandlers(dependencies: Dependencies): Handlers<typeof apiTokens> {
  return handlersOf<typeof apiTokens, Dependencies>(
    {
      list: ({ tokens }, { caller }) => tokens.ofAccount(required(caller).account_id),
      create,
      revoke: async ({ tokens, bus }, { params, caller }) =>
        found(await bus.announcing(topics.tokens, 'revoked', tokens.delete(required(caller).account_id, params.id))),
      me,
      resolve,
    },
    dependencies,
  )
}
