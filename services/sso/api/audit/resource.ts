import {
  choice,
  datetime,
  identifier,
  list,
  maybe,
  optionalIdentifier,
  optionalInteger,
  optionalText,
  pageQuery,
  record,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import type { Static } from 'typebox'

/** The kinds of audit records. */
const auditKinds = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'code_sent',
  'consent',
  'revocation',
  'password_changed',
  'contact_blocked',
  'contact_unblocked',
  'passkey_created',
  'passkey_renamed',
  'passkey_deleted',
  'act',
] as const

const outcomes = ['done', 'unknown'] as const

/** What a record of an administrative act has besides (proto/audit). */
const act = {
  action: optionalText({ description: 'Of an `act`: what was done, as `guests.events.update`' }),
  resource_id: optionalText({ description: 'What it was done to, or made' }),
  event_id: optionalIdentifier({ description: 'The event to which that belongs' }),
  token_id: optionalText({
    description:
      'Whose token did it, or which staff member; `cli`, `import` or `export` for the command line, `retention` where the time of personal data is over',
  }),
  token_name: optionalText({ description: 'The name of the token, as it was then' }),
  changed_fields: list(text(), 'changed_field', { description: 'The names of the fields that a change gave' }),
  items: optionalInteger({ description: 'Of a batch: how many items were accepted' }),
  outcome: choice(outcomes, {
    default: 'done',
    description: '`unknown` if the process died at work or a store did not answer in time',
  }),
}

/** The fields of a record. */
export const auditRecord = record({
  _id: identifier(),
  account_id: identifier(),
  kind: choice(auditKinds),
  contact_id: optionalIdentifier({ description: 'Null where nobody is known by what was given' }),
  client_id: optionalText({ description: 'The app at which it happened' }),
  address: optionalText({ description: 'The network address of who did it; null where that is not known' }),
  ...act,
  created_at: datetime(),
})

/** Audit records as personal data: what a contact did, and as a staff member. */
export const personalAuditRecords: PersonalDocuments = {
  name: 'sso.audit_records',
  collection: 'audit_records',
  scope: ['account_id'],
  fields: {
    ...auditRecord.properties,
    contact_id: optionalIdentifier({ personal: 'contact_id' }),
    token_id: optionalText({ personal: 'contact_id' }),
  },
  order: { created_at: -1, _id: -1 },
  outcome: 'kept',
  reason: 'since they show misuse of the account; they expire, after 90 days unless the operator sets another time',
}

/** A record as it goes out. */
export type AuditRecord = Static<typeof auditRecord>

const query = record({
  ...pageQuery,
  kind: maybe(choice(auditKinds)),
  contact_id: maybe(identifier()),
  event_id: maybe(identifier()),
  token_id: maybe(text({ description: 'The token that did it' })),
  resource_id: maybe(text({ description: 'What it was done to' })),
  action: maybe(
    text({
      pattern: '^[a-z_]+(\\.[a-z_]+){0,2}$',
      description: 'An action, or all of a resource or service: `guests.events.update`, `guests.events`, `guests`',
    }),
  ),
  since: maybe(datetime({ unix: true, description: 'At or after: ISO 8601 or Unix seconds' })),
  before: maybe(datetime({ unix: true, description: 'Before' })),
})

/** A page and what a list is filtered by. */
export type AuditQuery = Static<typeof query>

/** Audit records, which expire: what contacts did, and administrative acts in all services. */
export const auditRecords = resource('sso.audit_records', 'audit_record', {
  list: {
    route: 'GET audit_records',
    summary:
      'Administrative acts, sign-ins, consents, revocations and changes of credentials, newest first; kept for 90 days unless the operator sets another time',
    query,
    produces: { csv: 'text/csv; charset=utf-8' },
    exports: ['csv'],
    reply: list(auditRecord, 'audit_record'),
  },
  take: {
    summary: 'Stores administrative acts of any service; one that comes again is stored once',
    reads: true,
    body: list(
      record({
        _id: identifier(),
        account_id: identifier(),
        address: optionalText(),
        ...act,
        created_at: datetime(),
      }),
      'audit_record',
    ),
  },
})
