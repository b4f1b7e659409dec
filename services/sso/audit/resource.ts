import {
  choice,
  datetime,
  identifier,
  list,
  maybe,
  optionalIdentifier,
  optionalText,
  pageQuery,
  record,
} from '@gatehouse/proto/declaring/fields.ts'
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
  'invitation',
  'password_changed',
  'contact_blocked',
  'contact_unblocked',
  'contact_deleted',
  'secret_rolled',
  'app_deleted',
] as const

const auditRecord = record({
  _id: identifier(),
  account_id: identifier(),
  kind: choice(auditKinds),
  contact_id: optionalIdentifier({ description: 'Null where nobody is known by what was given' }),
  client_id: optionalText({ description: 'The app at which it happened' }),
  address: optionalText({ description: 'The network address of who did it; null for what an API token did' }),
  created_at: datetime(),
})

/** A record as it goes out. */
export type AuditRecord = Static<typeof auditRecord>

/** Audit records of contacts and apps, which expire. */
export const auditRecords = resource('sso.audit_records', 'audit_record', {
  list: {
    route: 'GET audit_records',
    summary:
      'Sign-ins, consents, revocations and changes of credentials, newest first; they are kept for 90 days unless the operator sets another time',
    query: record({
      ...pageQuery,
      kind: maybe(choice(auditKinds)),
      contact_id: maybe(identifier()),
      since: maybe(datetime({ unix: true, description: 'At or after: ISO 8601 or Unix seconds' })),
      before: maybe(datetime({ unix: true, description: 'Before' })),
    }),
    reply: list(auditRecord, 'audit_record'),
  },
})
