import { ownDatabase } from '@gatehouse/test/harness/databases.ts'
import { planOf } from '@gatehouse/test/harness/query-plans.ts'
import type { Document } from 'mongodb'
import { beforeAll, describe, expect, test } from 'vitest'
import { AuditStore } from './api/audit/store.ts'
import { ContactFieldStore } from './api/contact-fields/store.ts'
import { ContactStore } from './api/contacts/store.ts'
import { DeviceStore, type StoredDevice } from './api/devices/store.ts'
import { OauthAppStore } from './api/oauth-apps/store.ts'

const CONTACTS = 400
const BY_TIME = 'account_id_1_created_at_-1__id_-1'

/** The real queries of the stores are recorded and explained by the database. */
describe('each list and lookup of contacts, apps, devices and audit records uses an index', () => {
  const { client, db } = ownDatabase()
  const contacts = new ContactStore(db)
  const fields = new ContactFieldStore(db)
  const apps = new OauthAppStore(db)
  const devices = new DeviceStore(db, CONTACTS)
  const audit = new AuditStore(db, 90)
  let sent: Document[] = []

  beforeAll(async () => {
    await Promise.all([contacts, fields, apps, devices, audit].map((store) => store.prepare()))
    for (let from = 0; from < CONTACTS; from += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => furnish(from + index)))
    }
    await db.collection<StoredDevice>('devices').insertMany(Array.from({ length: CONTACTS }, (_, n) => deviceOf(n)))
    client.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') sent.push(command)
    })
  })

  async function furnish(number: number): Promise<void> {
    const account_id = number % 2 === 0 ? 'account' : 'other'
    const at = new Date(1_700_000_000_000 + number * 1000)
    const stamps = { account_id, created_at: at, updated_at: at }
    const nothing = { password_hash: null, is_blocked: false, values: {} }
    const name = { first_name: `First${number}`, last_name: `Last${number % 7}` }
    await contacts.insert({ _id: `c${number}`, email: `p${number}@example.org`, ...name, ...nothing, ...stamps })
    if (number % 10 === 0) {
      const invitation = { hash: `hash-${number}`, created_at: at, expires_at: new Date(Date.now() + 60_000) }
      await contacts.invite(account_id, `c${number}`, invitation)
    }
    await fields.insert({
      _id: `f${number}`,
      key: `key_${number}`,
      label: 'x',
      type: 'text',
      available_values: [],
      ...stamps,
    })
    const app = { name: 'x', redirect_uris: [], is_strict: false, secrets: [], revision: 0 }
    await apps.insert({ _id: `a${number}`, client_id: `client-${number}`, ...app, ...stamps })
    const kind = number % 3 === 0 ? 'sign_in' : 'consent'
    await audit.record({ account_id, kind, contact_id: `c${number % 20}` })
  }

  function deviceOf(number: number): StoredDevice {
    const at = new Date(1_700_000_000_000 + number * 1000)
    const reported = { enrolled_at: at, last_seen_at: null, battery_level: null, queue_length: null, app_version: null }
    return {
      _id: `d${number}`,
      account_id: 'account',
      event_id: `event ${number % 10}`,
      name: 'Phone',
      accesspoint_ids: [],
      token_hash: `token ${number}`,
      former_hashes: [`former ${number}`],
      code_hash: `code ${number}`,
      code_expires_at: new Date(Date.now() + 60_000),
      ...reported,
      created_at: at,
      updated_at: at,
    }
  }

  /** The plan of a run's last query: its index, whether it sorts, and how many documents it reads. */
  async function explained(run: () => Promise<unknown>): Promise<{ index: unknown; sorts: boolean; read: number }> {
    sent = []
    await run()
    const { indexes, ...rest } = await planOf(db, sent.at(-1) as Document)
    return { index: indexes[0], ...rest }
  }

  const page = { page: 1, per_page: 20 }

  test.each<[string, () => Promise<unknown>, string, number]>([
    ['contacts', () => contacts.page('account', {}, page), BY_TIME, 20],
    ['audit records', () => audit.page('account', {}, page), BY_TIME, 20],
    [
      'audit records of a kind',
      () => audit.page('account', { kind: 'sign_in' }, page),
      'account_id_1_kind_1_created_at_-1__id_-1',
      20,
    ],
    [
      'audit records of a contact',
      () => audit.page('account', { contact_id: 'c2' }, page),
      'account_id_1_contact_id_1_created_at_-1__id_-1',
      20,
    ],
    ['audit records since', () => audit.page('account', { since: new Date(0) }, page), BY_TIME, 20],
    ['apps', () => apps.ofAccount('account'), BY_TIME, CONTACTS / 2],
    [
      'devices',
      () => devices.ofEvent('account', 'event 1'),
      'account_id_1_event_id_1_created_at_1__id_1',
      CONTACTS / 10,
    ],
    ['contact fields', () => fields.ofAccount('account'), 'account_id_1_created_at_1__id_1', CONTACTS / 2],
  ])('%s: is found and sorted by it, without reading other documents', async (_label, run, index, most) => {
    const { read, ...found } = await explained(run)
    expect(found).toEqual({ index, sorts: false })
    expect(read).toBeLessThanOrEqual(most)
  })

  test.each<[string, () => Promise<unknown>, string, number]>([
    ['an e-mail address', () => contacts.findByEmail('account', 'P2@example.org'), 'account_id_1_email_key_1', 1],
    [
      'several e-mail addresses',
      () => contacts.known('account', ['P2@example.org', 'p4@example.org', 'none@example.org']),
      'account_id_1_email_key_1',
      2,
    ],
    [
      'an e-mail address, listed',
      () => contacts.page('account', { email: 'p2@example.org' }, page),
      'account_id_1_email_key_1',
      1,
    ],
    [
      'a word',
      () => contacts.page('account', { search: 'first10' }, page),
      'account_id_1_search_words_1_created_at_-1__id_-1',
      6,
    ],
    ['an invitation', () => contacts.invited('account', 'hash-20'), 'account_id_1_invitation.hash_1', 1],
    ['an app by its client_id', () => apps.findByClientId('account', 'client-4'), 'client_id_1', 1],
    ['a device by its code', () => devices.findByCode('code 7'), 'code_hash_1', 1],
    ['devices by tokens', () => devices.findByHashes(['token 7']), 'token_hash_1', 1],
    ['devices by former tokens', () => devices.findByHashes(['former 7', 'none']), 'former_hashes_1', 1],
    ['a contact by its id', () => contacts.get('account', 'c4'), '_id_', 1],
  ])('%s: is found by it', async (_label, run, index, most) => {
    const found = await explained(run)
    expect(found.index).toBe(index)
    expect(found.read).toBeLessThanOrEqual(most)
  })
})
