import { hashOfToken } from '@gatehouse/proto/storage/tokens.ts'
import { ownDatabase } from '@gatehouse/test/harness/databases.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { type ConsoleSession, ConsoleSessionStore } from './session-store.ts'

const MINUTE_MS = 60_000
const { db } = ownDatabase()
const documents = db.collection<ConsoleSession>('console_sessions')
const store = new ConsoleSessionStore(db, { idle_minutes: 60, hours: 12 })
const whose = { account_id: 'a', staff_member_id: 'm', contact_id: 'c', version: 0, signed_in_at: new Date() }

describe('a session of the console', () => {
  let id: string
  beforeEach(async () => {
    id = await store.begin(whose)
  })

  const use = () => store.use([hashOfToken(id)])
  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)
  const change = (fields: Partial<ConsoleSession>) => documents.updateOne({ hash: hashOfToken(id) }, { $set: fields })
  const lastUse = async () => (await documents.findOne({ hash: hashOfToken(id) }))?.last_used_at

  test('is stored without its id', async () => {
    expect(JSON.stringify(await documents.find().toArray())).not.toContain(id)
  })

  test('ends an hour after its last use, and is extended by each', async () => {
    await change({ last_used_at: ago(59) })
    expect(await use()).toHaveLength(1)
    expect(await lastUse()).toEqual(expect.any(Date))
    expect((await lastUse())?.getTime()).toBeGreaterThan(ago(1).getTime())
    await change({ last_used_at: ago(61) })
    expect(await use()).toEqual([])
  })

  test('is not extended by who only looks', async () => {
    const before = ago(59)
    await change({ last_used_at: before })
    expect(await store.find([hashOfToken(id)])).toMatchObject([{ last_used_at: before }])
    expect(await lastUse()).toEqual(before)
    await change({ last_used_at: ago(61) })
    expect(await store.find([hashOfToken(id)])).toEqual([])
  })

  test('ends twelve hours after the sign-in, however it is used', async () => {
    const [session] = (await use()) as [ConsoleSession]
    expect(session.expires_at.getTime() - session.created_at.getTime()).toBe(12 * 60 * MINUTE_MS)
    await change({ expires_at: ago(0) })
    expect(await use()).toEqual([])
  })

  test('writes nothing for uses within a minute', async () => {
    const before = ago(0.5)
    await change({ last_used_at: before })
    await use()
    expect(await lastUse()).toEqual(before)
  })
})
