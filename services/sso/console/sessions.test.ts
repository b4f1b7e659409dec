import { randomUUID } from 'node:crypto'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { ownDatabase } from '@gatehouse/test/harness/databases.ts'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { AccountStore } from '../api/accounts/store.ts'
import { AuditStore } from '../api/audit/store.ts'
import { Issuers } from '../issuers.ts'
import * as topics from '../topics.ts'
import { ConsoleCookies } from './cookies.ts'
import { ConsoleSessionStore } from './session-store.ts'
import { ConsoleSessions } from './sessions.ts'

const { db } = ownDatabase()
const store = new ConsoleSessionStore(db, { idle_minutes: 60, hours: 12 })
const whose = { account_id: 'a', staff_member_id: 'm', contact_id: 'c', version: 0, signed_in_at: new Date() }

const options = {
  servers: inject('natsUrl'),
  namespace: `test-${randomUUID().slice(0, 8)}`,
  name: 'sessions-test',
  log: makeLog('sessions-test', 'silent'),
  deadlineMs: 60_000,
}
const [own, gateway] = await Promise.all([connectBus(options), connectBus(options)])
afterAll(async () => {
  await Promise.all([own.stop(), gateway.stop()])
})

describe('a sign-out', () => {
  test('has gateways forget their tokens only if it ends a session', async () => {
    let announced = 0
    gateway.listen(topics.tokens, () => announced++)
    await gateway.flush()
    const issuers = new Issuers('http://127.0.0.1:8080')
    const cookies = new ConsoleCookies(issuers, 12)
    const stores = {
      accounts: new AccountStore(db),
      sessionStore: store,
      audit: new AuditStore(db, 90),
      staff: {} as never,
      contacts: {} as never,
    }
    const sessions = new ConsoleSessions({ ...stores, artifacts: {} as never, cookies, issuers, bus: own })
    const id = await store.begin(whose)
    const signOut = (cookie: string | undefined) => sessions.signOut(cookie, undefined, '127.0.0.1')

    const without = [undefined, 'console=x', 'console=gh_console_x', 'console=gh_1234', `console=${id.slice(0, -1)}`]
    await Promise.all(without.map(signOut))
    await signOut(`console=${id}`)
    await signOut(`console=${id}`)
    // Announcements come in the order in which they were made: this is the last.
    const last = Promise.withResolvers<void>()
    gateway.listen(topics.accounts, () => last.resolve())
    await gateway.flush()
    own.announce(topics.accounts, '')
    await last.promise
    expect(announced).toBe(1)
  })
})
