import { type Handlers, handlersOf, required } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { webhookSecrets } from './resource.ts'
import type { Secrets } from './store.ts'

/** Returns the handlers of an account's signing secret. */
export function webhookSecretHandlers(dependencies: Dependencies): Handlers<typeof webhookSecrets> {
  return handlersOf<typeof webhookSecrets, Dependencies>(
    {
      read: async ({ secrets }, { caller }) => shown(await secrets.of(required(caller).account_id)),
      roll: async ({ secrets }, { caller }) => shown(await secrets.roll(required(caller).account_id)),
    },
    dependencies,
  )
}

function shown({ current, previous }: Secrets): { secret: string; previous_expires_at: Date | null } {
  return { secret: current, previous_expires_at: previous[0]?.until ?? null }
}
