import { resource } from '../resources/resource.ts'

/** The contacts of the account: who signs in to its own websites. */
export const contacts = resource('/api/v1/contacts.json', {
  // The desk of an event needs none of them.
  sees: 'organizer',
  columns: ['email', 'last_name', 'first_name', 'has_password', 'is_blocked', 'created_at'],
  fields: ['email', 'first_name', 'last_name', 'is_blocked'],
  facts: ['has_password', 'created_at'],
  filters: ['email'],
  actions: [
    {
      label: 'contact_invite',
      path: '/api/v1/contacts/{contact_id}/invitations.json',
      offered: ({ is_blocked }) => is_blocked !== true,
      body: {},
      says: 'contact_invited',
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
