import { type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import type { webhookSecrets } from './resource.ts'
import type { Secrets, WebhookSecretStore } from './store.ts'

/** The handlers of an account's signing secret. */
export function webhookSecretHandlers(store: WebhookSecretStore): Handlers<typeof webhookSecrets> {
  return {
    async read({ caller }) {
      return shown(await store.of(required(caller).account_id))
    },

    async roll({ caller }) {
      return shown(await store.roll(required(caller).account_id))
    },
  }
}

function shown({ current, previous }: Secrets): { secret: string; previous_expires_at: Date | null } {
  return { secret: current, previous_expires_at: previous[0]?.until ?? null }
}
