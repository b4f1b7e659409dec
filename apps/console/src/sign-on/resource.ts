import { type ItemAction, resource } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'

/** What e-mails a contact a link for choosing a password: the first one, or another. */
const invitation: Omit<ItemAction, 'label'> = {
  path: '/api/v1/contacts/{contact_id}/invitations.json',
  body: {},
  says: 'contact_invited',
}
const mayBeInvited = ({ is_blocked }: Item): boolean => is_blocked !== true

/** The contacts of the account: who signs in to its own websites. */
export const contacts = resource('/api/v1/contacts.json', {
  // The desk of an event needs none of them.
  sees: 'organizer',
  columns: ['email', 'last_name', 'first_name', 'has_password', 'is_blocked', 'created_at'],
  fields: ['email', 'first_name', 'last_name', 'is_blocked'],
  facts: ['has_password', 'created_at'],
  filters: ['email'],
  actions: [
    { ...invitation, label: 'contact_invite', offered: (item) => mayBeInvited(item) && !item.has_password },
    {
      ...invitation,
      label: 'contact_new_password',
      offered: (item) => mayBeInvited(item) && item.has_password === true,
    },
  ],
})

/** The websites where contacts sign in. */
export const oauthApps = resource('/api/v1/oauth_apps.json', {
  columns: ['name', 'redirect_uris', 'is_strict', 'created_at'],
  fields: ['name', 'redirect_uris', 'is_strict'],
  facts: ['client_id', 'old_secret_expires_at'],
  tells: ({ old_secret_expires_at }, fact) => fact !== 'old_secret_expires_at' || Boolean(old_secret_expires_at),
  titles: { client_id: 'app_client_id' },
  hints: { redirect_uris: 'hint_redirect_uris' },
  once: 'client_secret',
  isSeldom: true,
  actions: [
    {
      label: 'app_new_secret',
      path: '/api/v1/oauth_apps/{id}/roll_secret.json',
      asks: 'app_new_secret_asks',
      body: {},
    },
  ],
})
