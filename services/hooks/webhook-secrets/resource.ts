import { optionalDatetime, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

const secret = record({
  secret: text({ description: '`whsec_` and base64: the key of the signatures, as Standard Webhooks writes it' }),
  previous_expires_at: optionalDatetime({
    description: 'Until when the secret before signs along; null when there is none',
  }),
})

/** The account's signing secret, made when it is first asked for. */
export const webhookSecrets = resource('hooks.webhook_secrets', 'webhook_secret', {
  read: { route: 'GET webhook_secret', role: 'owner', summary: "The account's signing secret", reply: secret },
  roll: {
    route: 'POST webhook_secret',
    role: 'owner',
    summary: 'Make a new signing secret; the one before signs along for a day',
    reply: secret,
    status: 201,
  },
})
