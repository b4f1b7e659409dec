/**
 * The collections that an installation shards when one replica set no longer holds them, and their shard keys, by range
 * (docs/operations.md#from-one-machine-to-a-region). Most queries then go to one shard.
 */
export const SHARDED: Record<string, string> = {
  'badges.badges': 'event_id',
  'badges.files': 'event_id',
  'badges.held_passes': 'event_id',
  'badges.pass_devices': 'event_id',
  'checkin.access_controls': 'event_id',
  'checkin.signatures': 'event_id',
  'leads.leads': 'event_id',
  'partners.invitations': 'event_id',
  'partners.mailing_deliveries': 'event_id',
  'sso.audit_records': 'account_id',
  'sso.contacts': 'account_id',
}

const FEW = 'at most thousands for an event or account'
const SHORT_LIVED = 'expires by itself, most of it within a day'
const BACKGROUND = 'emptied as it is filled'
const MIGRATIONS = 'one document for each migration'

/** Every service has these, and why one shard is enough. */
export const OF_EACH_SERVICE: Record<string, string> = {
  audit_notes: BACKGROUND,
  cell_fences: 'a document for each account that has moved to or from another cell',
  idempotency_keys: SHORT_LIVED,
  migrations: MIGRATIONS,
  outbox: BACKGROUND,
}

/** The other collections, and why one shard each is enough. `moveCollection` spreads them over shards, one by one. */
export const UNSHARDED: Record<string, string> = {
  'guests.guests':
    'the uses of a discount code are unique over events: guests of a campaign use a code of the platform event',
  'hooks.deliveries': 'claimed by webhook, by any process; deleted after DELIVERIES_KEPT_DAYS',
  'badges.badge_logos': FEW,
  'badges.badge_templates': FEW,
  'badges.print_turns': SHORT_LIVED,
  'checkin.accesspoints': FEW,
  'checkin.areas': FEW,
  'checkin.check_in_segments': FEW,
  'checkin.entry_reports': SHORT_LIVED,
  'checkin.former_accesspoints': FEW,
  'checkin.guest_category_accesspoints': FEW,
  'checkin.late_changes': SHORT_LIVED,
  'checkin.segments': 'of an earlier version, and empty',
  'guests.erasures': FEW,
  'guests.events': FEW,
  'guests.guest_categories': FEW,
  'guests.guest_fields': FEW,
  'hooks.watches': SHORT_LIVED,
  'hooks.webhook_secrets': FEW,
  'hooks.webhooks': FEW,
  'leads.apps': FEW,
  'leads.exhibitors': FEW,
  'partners.blocked_recipients': FEW,
  'partners.former_recipients': FEW,
  'partners.invitation_types': FEW,
  'partners.mailings': FEW,
  'partners.partner_access_tokens': FEW,
  'partners.partner_campaigns': FEW,
  'partners.partner_uploads': SHORT_LIVED,
  'partners.partners': FEW,
  'partners.registration_counters': FEW,
  'partners.registration_counts': SHORT_LIVED,
  'partners.suppressions': 'addresses that bounced, for all events of an account',
  'partners.test_sends': SHORT_LIVED,
  'partners.unsubscriptions': 'addresses that want no mailing, for all events of an account',
  'promo.promo_codes': FEW,
  'sso.accounts': FEW,
  'sso.api_tokens': FEW,
  'sso.console_sessions': SHORT_LIVED,
  'sso.contact_fields': FEW,
  'sso.devices': FEW,
  'sso.logos': FEW,
  'sso.oauth_apps': FEW,
  'sso.oidc_artifacts': SHORT_LIVED,
  'sso.oidc_consents': FEW,
  'sso.oidc_counts': SHORT_LIVED,
  'sso.oidc_keys': 'a handful',
  'sso.one_time_codes': SHORT_LIVED,
  'sso.passkey_challenges': SHORT_LIVED,
  'sso.passkeys': FEW,
  'sso.staff': FEW,
}

/** Queries of a sharded collection that ask all shards. */
export const WITHOUT_SHARD_KEY: { shape: RegExp; reason: string }[] = [
  {
    shape: /find \S+ \{_id: \{\$in: \[\?\]\}(, event_id: \{\$ne: \?\})?\}$/,
    reason: 'an id that is brought along must not be taken in any event; only while data is moved here',
  },
  {
    shape: /hint "(answer_due|confirmation_due|created_at|partner_id_1_due_at)_1"$/,
    reason: 'background work of all events, in the order in which it is due',
  },
  {
    shape: /find (invitations|mailing_deliveries) \{_id: (\?|\{\$in: \[\?\]\}), state: \{\$ne: \?\}\} hint "_id_"$/,
    reason: 'the link in an e-mail, and what the mail server reports, name an id alone',
  },
  { shape: /find \S+ \{_id: \?\}$/, reason: 'a retry with its Idempotency-Key reads what the first try has stored' },
  {
    shape: /badges find (badges|files|held_passes) \{(|event_id: \{\$gt: \?\}|voided_at: \{\$exists: false\})\} sort/,
    reason: 'a starting process looks for what was deleted or changed while none ran, event by event',
  },
  { shape: /held_passes \{push_due: \{\$lte: \?\}\}/, reason: 'changed passes of all events, in the order of changes' },
]
