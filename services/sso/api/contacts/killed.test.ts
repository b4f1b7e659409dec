import { startKillable } from '@gatehouse/test/harness/killable.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, killPoints } from '@gatehouse/test/rounds.ts'
import { Binary, MongoClient } from 'mongodb'
import { expect, inject, onTestFinished, test } from 'vitest'
import { PasskeyStore } from '../../passkeys/store.ts'

// Takes half a minute: each kill starts a new process.
test(
  'a process killed at any answer of its store while it deletes a contact leaves no passkey of who is gone',
  deep,
  async () => {
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const system = await startSystem({ checkins: 0, gateway: { deadline_ms: 3_000 } })
    await system.stopSso()
    const killable = await startKillable('sso', system)
    onTestFinished(async () => {
      await killable.stop()
      await Promise.all([system.stop(), mongo.close()])
    })
    const db = mongo.db(`${system.namespace}_sso`)
    const passkeys = new PasskeyStore(db)
    for (const nth of killPoints()) {
      const { body, status, text } = await system.api('POST', 'contacts.json', { email: `ada${nth}@example.org` })
      expect(status, text).toBe(201)
      const contact_id: string = body._id
      await passkeys.insert({
        ...{ account_id: system.account_id, contact_id, credential_id: `credential-${nth}`, name: 'Phone', version: 0 },
        ...{ public_key: new Binary(Buffer.from('key')), counter: 0, transports: [] },
        ...{ created_at: new Date(), last_used_at: null },
      })
      const cancel = await killable.killAtAnswer(nth)
      await system.api('DELETE', `contacts/${contact_id}.json`)
      const wasKilled = cancel()
      await killable.serving()
      const { status: left } = await system.api('GET', `contacts/${contact_id}.json`)
      expect([200, 404]).toContain(left)
      if (left === 404) expect(await db.collection('passkeys').countDocuments({ contact_id }), `answer ${nth}`).toBe(0)
      if (wasKilled) continue
      expect([left, nth]).toEqual([404, expect.toSatisfy((answers: number) => answers > 3)])
      break
    }
  },
)
