import { identifier, optionalIdentifier, record, text } from '@gatehouse/proto/fields.ts'
import { resource } from '@gatehouse/proto/resource.ts'

const slug = text({ maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' })

/** Accounts: organizers. They are made and found from the command line. */
export const accounts = resource('sso.accounts', 'account', {
  bootstrap: {
    summary: 'Makes the account once and issues a fresh admin token; of those it issued before, the last ten stay',
    body: record({ slug }),
    reply: record({ account_id: identifier(), auth_token: text() }),
  },
  find: {
    summary: 'The account of a slug; null when there is none',
    reads: true,
    body: record({ slug: text() }),
    reply: record({ account_id: optionalIdentifier() }),
  },
})
