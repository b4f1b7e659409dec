// @module-tag slow
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { type Answer, SECRETS_KEY, type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startService } from '../../services.ts'

const CAP = 4
const SENTENCE = `are limited to ${CAP} per account: delete one first`

describe('the cap on the webhooks of an account', () => {
  let system: System
  let processes: Running[]

  beforeAll(async () => {
    system = await startSystem()
    const config = {
      mongodb_url: inject('mongodbUrl'),
      nats_url: natsUrlOf('hooks'),
      namespace: system.namespace,
      log_level: 'silent',
      deadline_ms: 30_000,
      secrets_key: SECRETS_KEY,
      webhooks_per_account: CAP,
    }
    processes = await Promise.all([startService('hooks', config), startService('hooks', config)])
  })
  afterAll(async () => {
    await Promise.all((processes ?? []).map((each) => each.stop()))
    await system?.stop()
  })

  const create = (suffix = 'json', init = {}): Promise<Answer> =>
    system.api('POST', `webhooks.${suffix}`, { url: 'https://example.org/hook' }, init)

  test('holds for concurrent creations through two processes; a deletion makes room; other accounts have their own', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => create()))
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(CAP)
    for (const { status, body } of answers.filter((answer) => answer.status !== 201))
      expect([status, body]).toEqual([422, { errors: { webhooks: [SENTENCE] } }])
    expect((await system.api('GET', 'webhooks.json')).body).toHaveLength(CAP)
    const { status, text } = await create('xml')
    expect([status, text]).toEqual([422, expect.stringContaining(`<error>Webhooks ${SENTENCE}</error>`)])

    for (const { body } of made.slice(1)) await system.api('DELETE', `webhooks/${body._id}.json`)
    const again = await Promise.all(Array.from({ length: 10 }, () => create()))
    expect(again.filter((answer) => answer.status === 201)).toHaveLength(CAP - 1)
    const other = await system.account('other')
    expect((await create('json', { token: other.auth_token })).status).toBe(201)
  })
})
