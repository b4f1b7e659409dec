import { type FreeTexts, freeTextsOf } from '@gatehouse/proto/privacy/free-texts.ts'
import { personalAuditRecords } from '../api/audit/resource.ts'
import { personalContacts } from '../api/contacts/resource.ts'

/** What an account notes of contacts, and what it calls tokens and devices: often who has them. */
export const freeTexts: readonly FreeTexts[] = [
  freeTextsOf(personalContacts, 'values'),
  { name: 'sso.tokens', collection: 'api_tokens', scope: ['account_id'], texts: ['name'] },
  { name: 'sso.devices', collection: 'devices', scope: ['account_id', 'event_id'], texts: ['name'] },
  freeTextsOf(personalAuditRecords, 'token_name'),
]
