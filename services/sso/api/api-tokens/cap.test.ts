// @module-tag slow
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { type Answer, SECRETS_KEY, type System, startSystem, type TestAccount } from '@gatehouse/test/harness/system.ts'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startService } from '../../../services.ts'

const CAP = 5
const SENTENCE = `are limited to ${CAP} per account: revoke one first`

describe('the cap on the API tokens of an account', () => {
  let system: System
  let second: Running

  beforeAll(async () => {
    system = await startSystem({ sso: { api_tokens_per_account: CAP, devices_per_account: CAP } })
    second = await startService('sso', {
      mongodb_url: inject('mongodbUrl'),
      nats_url: natsUrlOf('sso'),
      namespace: system.namespace,
      log_level: 'silent',
      deadline_ms: 30_000,
      secrets_key: SECRETS_KEY,
      public_url: system.url,
      api_tokens_per_account: CAP,
      devices_per_account: CAP,
    })
  })
  afterAll(async () => {
    await second?.stop()
    await system?.stop()
  })

  const issue = ({ auth_token: token }: TestAccount, suffix = 'json', headers = {}): Promise<Answer> =>
    system.api('POST', `tokens.${suffix}`, { name: 'device', scope: 'door' }, { token, headers })
  const revoke = async ({ auth_token: token }: TestAccount, { body }: Answer): Promise<void> => {
    const { status } = await system.api('DELETE', `tokens/${body._id}.json`, undefined, { token })
    expect(status).toBe(204)
  }
  /** The tokens that count. */
  const issued = async ({ auth_token: token }: TestAccount): Promise<Answer['body'][]> => {
    const { body } = await system.api('GET', 'tokens.json', undefined, { token })
    return body.filter(({ name }: { name: string }) => name === 'device')
  }
  const made = (answers: Answer[]): Answer[] => answers.filter(({ status }) => status === 201)

  test('of 40 concurrent creations through two processes exactly as many succeed as there is room; the others are 422', async () => {
    const account = await system.account('at-once')
    const answers = await Promise.all(Array.from({ length: 40 }, () => issue(account)))
    expect(made(answers)).toHaveLength(CAP)
    for (const { status, body } of answers.filter((answer) => answer.status !== 201))
      expect([status, body]).toEqual([422, { errors: { tokens: [SENTENCE] } }])
    expect(await issued(account)).toHaveLength(CAP)
    const { status, text } = await issue(account, 'xml')
    expect([status, text]).toEqual([422, expect.stringContaining(`<error>Tokens ${SENTENCE}</error>`)])
  })

  test('is never exceeded by concurrent creations and revocations; a revocation makes room', async () => {
    const account = await system.account('to-and-fro')
    let left: Answer[] = []
    for (let round = 0; round < 8; round++) {
      const [gone, kept] = [left.slice(0, 3), left.slice(3)]
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 12 }, () => issue(account))),
        ...gone.map((token) => revoke(account, token)),
      ])
      left = [...kept, ...made(answers)]
      expect(left.length).toBeLessThanOrEqual(CAP)
      expect(await issued(account)).toHaveLength(left.length)
    }
    left.push(...made(await Promise.all(Array.from({ length: CAP + 1 }, () => issue(account)))))
    expect(left).toHaveLength(CAP)
  })

  test('holds for devices too, counted by themselves; a revoked one makes room', async () => {
    const { auth_token: token, account_id } = await system.account('devices')
    const event = await system.api('POST', 'events.json', { title: 'Fair', account_id }, { token })
    const path = `events/${event.body._id}/devices`
    const enrol = (): Promise<Answer> => system.api('POST', `${path}.json`, { name: 'Phone' }, { token })
    const answers = await Promise.all(Array.from({ length: 20 }, enrol))
    expect(made(answers)).toHaveLength(CAP)
    for (const { status, body } of answers.filter((answer) => answer.status !== 201))
      expect([status, body]).toEqual([422, { errors: { devices: [SENTENCE] } }])
    await system.api('DELETE', `${path}/${made(answers)[0]?.body._id}.json`, undefined, { token })
    expect([(await enrol()).status, (await enrol()).status]).toEqual([201, 422])
  })

  test('counts tokens from before there was a cap', async () => {
    const account = await system.account('from-before')
    for (let nth = 0; nth < CAP; nth++) await issue(account)
    const client = new MongoClient(inject('mongodbUrl'))
    try {
      const tokens = client.db(`${system.namespace}_sso`).collection('api_tokens')
      await tokens.updateMany({ account_id: account.account_id }, { $unset: { place: 1 } })
    } finally {
      await client.close()
    }
    expect((await issue(account)).status).toBe(422)
    const [one] = await issued(account)
    await revoke(account, { body: one } as Answer)
    const answers = await Promise.all(Array.from({ length: 10 }, () => issue(account)))
    expect(made(answers)).toHaveLength(1)
  })

  test('bootstrap works at the cap, and its tokens do not count; other accounts have room', async () => {
    const full = await system.account('full')
    for (let nth = 0; nth < CAP; nth++) expect((await issue(full)).status).toBe(201)
    const again = await system.account('full')
    expect((await issue(again)).status).toBe(422)
    expect(await issued(again)).toHaveLength(CAP)
    expect((await issue(await system.account('elsewhere'))).status).toBe(201)
  })

  test('a repeated creation with its key gives the same token, also at the cap', async () => {
    const account = await system.account('again')
    for (let nth = 1; nth < CAP; nth++) await issue(account)
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const [first, second] = [await issue(account, 'json', headers), await issue(account, 'json', headers)]
    expect([second.status, second.body]).toEqual([201, first.body])
  })
})
