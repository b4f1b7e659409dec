import { mailTitles } from '../mailings/titles.ts'
import { type ConsoleSay, named, type TextKey, titleOf } from '../texts/words.ts'

/** An audit record, as the API has it. */
export type AuditRecord = Readonly<Record<string, unknown>>

/** What is known of the names in an audit record. */
export interface RecordNames {
  /** Of who did it, where the record itself does not say so. */
  who?: string | undefined
  /** Of what it was done to. */
  what?: string | undefined
}

/** The verbs of actions that are not called like them. */
const VERBS: Readonly<Record<string, string>> = {
  ...{
    create: 'add',
    batch_create: 'add',
    batch_create_own: 'send',
    update: 'change',
    batch_update: 'change',
    upload: 'change',
  },
  ...{ upload_logo: 'change', delete_logo: 'change', revoke: 'revoke', print: 'export', list: 'export' },
  ...{ of_event: 'export', download: 'export' },
  ...{ roll_token: 'renew', roll_code: 'renew', roll_link: 'renew', create_code: 'renew', roll_secret: 'renew' },
  ...{ batch_delete: 'delete', roll: 'renew_secret', test_send: 'test', replay: 'again' },
}
/** Those of actions whose resource says more than the action. */
const OWN_VERBS: Readonly<Record<string, string>> = {
  'guests.erasures.create': 'erase',
  'guests.event_imports.create': 'import',
  'checkin.access_controls.delete': 'undo',
  'partners.registrations.update': 'decide',
  'partners.invitation_decisions.decide': 'decide',
  'partners.test_sends.send': 'test',
  'partners.page_links.renew': 'renew_link',
  'sso.invitations.create': 'send',
}
/** What stands for a token where nobody's token did it. */
const NOBODY: Readonly<Record<string, TextKey>> = {
  ...{ cli: 'audit_cli', import: 'audit_cli', export: 'audit_cli', retention: 'audit_retention' },
}
/** What fields are called in records about some resources. */
const TITLES: Readonly<Record<string, Partial<Record<string, TextKey>>>> = {
  events: { archived: 'audit_archived' },
  mailings: mailTitles,
  invitation_types: mailTitles,
}
const ACT = 'act'

/** The resource of an act: `guest_categories` of `guests.guest_categories.update`. */
export function resourceOf(record: AuditRecord): string | undefined {
  return typeof record.action === 'string' ? record.action.split('.')[1] : undefined
}

/** Returns an audit record as a sentence: who did what. */
export function sentenceOf(say: ConsoleSay, record: AuditRecord, { who, what }: RecordNames): string {
  const doer = who ?? whoOf(say, record)
  if (record.kind !== ACT) return said(say, String(record.kind), doer, '')
  const action = String(record.action)
  const [, kind = '', verb = ''] = action.split('.')
  const thing = named(say, 'audit_thing', kind)
  const whole = what === undefined ? thing : say('audit_named', { kind: thing, name: what })
  const { items } = record
  const counted = typeof items === 'number' ? say('audit_items', { what: thingsOf(say, kind), count: items }) : whole
  const sentence = said(say, OWN_VERBS[action] ?? VERBS[verb] ?? verb, doer, counted)
  const fields = fieldsOf(say, record)
  return fields === '' ? sentence : say('audit_sentence_fields', { sentence, fields })
}

/** What several items at once are called. */
function thingsOf(say: ConsoleSay, kind: string): string {
  const key = `audit_things_${kind}`
  return say.knows(key) ? say(key) : named(say, 'audit_thing', kind)
}

/** The labels of the fields that a change gave. */
function fieldsOf(say: ConsoleSay, record: AuditRecord): string {
  const { changed_fields } = record
  const titles = TITLES[resourceOf(record) ?? ''] ?? {}
  return Array.isArray(changed_fields)
    ? changed_fields.map((each) => titleOf(say, titles, String(each))).join(', ')
    : ''
}

function whoOf(say: ConsoleSay, { token_name, token_id }: AuditRecord): string {
  if (typeof token_name === 'string' && token_name) return token_name
  const words = NOBODY[String(token_id)]
  return say(words ?? 'audit_someone')
}

function said(say: ConsoleSay, verb: string, who: string, what: string): string {
  const key = `audit_did_${verb}`
  return say(say.knows(key) ? key : 'audit_did_other', { who, what })
}
