import { ownDatabase } from '@gatehouse/test/harness/databases.ts'
import { describe, expect, test } from 'vitest'
import { PasskeyStore } from './store.ts'

const { db } = ownDatabase()
const store = new PasskeyStore(db)
const textOf = (challenge: Uint8Array): string => Buffer.from(challenge).toString('base64url')

describe('a challenge', () => {
  const newChallenge = async (boundTo: string) => textOf(await store.newChallenge(boundTo))

  test('is used once, by what it is bound to', async () => {
    const challenge = await newChallenge('one')
    expect(await store.takeChallenge(challenge, 'other')).toBe(false)
    const taken = await Promise.all(Array.from({ length: 8 }, () => store.takeChallenge(challenge, 'one')))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  test('takes the place of the one before: asking often fills no store', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => newChallenge('many')))
    const newest = await newChallenge('many')
    expect(await db.collection('passkey_challenges').countDocuments()).toBe(1)
    for (const old of all) expect(await store.takeChallenge(old, 'many')).toBe(false)
    expect(await store.takeChallenge(newest, 'many')).toBe(true)
  })

  test('expires', async () => {
    const challenge = await newChallenge('late')
    await db.collection('passkey_challenges').updateMany({}, { $set: { expires_at: new Date(Date.now() - 1) } })
    expect(await store.takeChallenge(challenge, 'late')).toBe(false)
  })
})
