import { expect, test } from 'vitest'
import type { Manifest } from './manifests.ts'
import { missingSecrets, secretsIn } from './secrets.ts'

const created = missingSecrets([], { SMTP_URL: 'smtp://mail.example.org' })

/** The Secrets as a cluster stores them. */
function stored(secrets: Manifest[]): Manifest[] {
  return secrets.map(({ stringData, data, ...rest }) => {
    const texts = Object.entries<string>(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')])
    return { ...rest, data: { ...data, ...Object.fromEntries(texts) } }
  })
}

const without = (...names: string[]) => stored(created).filter(({ metadata }) => !names.includes(metadata.name))
const textOf = (secrets: Manifest[], name: string, key: string): string =>
  secrets.find(({ metadata }) => metadata.name === name)?.stringData[key] ?? ''

test('each process has a Secret whose passwords its stores get too, and all share one key', () => {
  for (const name of ['checkin', 'hooks']) {
    const url = (key: string) => new URL(textOf(created, `gatehouse-${name}`, key))
    const ofNats = textOf(created, 'nats-passwords', `NATS_PASSWORD_${name.toUpperCase()}`)
    expect(url('NATS_URL').href).toBe(`tls://${name}:${ofNats}@nats.gatehouse-stores.svc.cluster.local:4222`)
    expect(url('MONGODB_URL').searchParams.get('tls')).toBe('true')
    expect(url('MONGODB_URL').password).toBe(textOf(created, `mongodb-${name}`, 'password'))
  }
  const redis = new URL(textOf(created, 'gatehouse-checkin', 'REDIS_URL'))
  expect(redis.protocol).toBe('rediss:')
  expect(redis.password).toBe(textOf(created, 'redis', 'password'))
  expect(new Set(created.flatMap(({ stringData }) => stringData.SECRETS_KEY ?? [])).size).toBe(1)
  expect(textOf(created, 'gatehouse-mail', 'SMTP_URL')).toBe('smtp://mail.example.org')
  expect(missingSecrets([], {})).not.toEqual(missingSecrets([], {}))
})

test('a second run changes nothing, even if the environment has other values', () => {
  const printed = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: stored(created) })
  expect(missingSecrets(secretsIn(printed), { SMTP_URL: 'smtp://other.example.org' })).toEqual([])
})

test("a new service gets the others' key, and a password that its stores get too", () => {
  const before = structuredClone(without('gatehouse-hooks', 'mongodb-hooks'))
  const passwords = before.find(({ metadata }) => metadata.name === 'nats-passwords')
  delete passwords?.data.NATS_PASSWORD_HOOKS
  const missing = missingSecrets(before, {})
  expect(missing.map(({ metadata }) => metadata.name).toSorted()).toEqual(
    ['gatehouse-hooks', 'mongodb-hooks', 'nats-passwords'].toSorted(),
  )
  const passwordOf = (key: string) => new URL(textOf(missing, 'gatehouse-hooks', key)).password
  expect(textOf(missing, 'nats-passwords', 'NATS_PASSWORD_HOOKS')).toBe(passwordOf('NATS_URL'))
  expect(textOf(missing, 'mongodb-hooks', 'password')).toBe(passwordOf('MONGODB_URL'))
  expect(textOf(missing, 'gatehouse-hooks', 'SECRETS_KEY')).toBe(textOf(created, 'gatehouse-sso', 'SECRETS_KEY'))
  // `kubectl apply` takes away what an object had and has no more.
  expect(missing.find(({ metadata }) => metadata.name === 'nats-passwords')?.data).toEqual(passwords?.data)
  expect(missingSecrets([...before, ...stored(missing)].reverse(), {})).toEqual([])
})

test('addresses of before the stores encrypted become encrypted, and keep their passwords and options; those of other stores stay', () => {
  const before = structuredClone(created)
  const guests = before.find(({ metadata }) => metadata.name === 'gatehouse-guests')?.stringData
  const wanted = { ...guests, MONGODB_URL: guests.MONGODB_URL.replace('/?', '/?maxPoolSize=9&') }
  guests.NATS_URL = guests.NATS_URL.replace('tls:', 'nats:')
  guests.REDIS_URL = guests.REDIS_URL.replace('rediss:', 'redis:')
  guests.MONGODB_URL = wanted.MONGODB_URL.replace(/&tls=.*/, '')
  const own = before.find(({ metadata }) => metadata.name === 'gatehouse-promo')?.stringData
  own.MONGODB_URL = 'mongodb://promo@db.example.org/'
  delete before.find(({ metadata }) => metadata.name === 'mongodb-promo')?.stringData.password
  const missing = missingSecrets(stored(before), {})
  expect(missing.find(({ metadata }) => metadata.name === 'gatehouse-guests')?.stringData).toEqual({
    NATS_URL: wanted.NATS_URL,
    REDIS_URL: wanted.REDIS_URL,
    MONGODB_URL: wanted.MONGODB_URL,
  })
  expect(missing.map(({ metadata }) => metadata.name)).not.toContain('gatehouse-promo')
})

test("processes get the certificate of the stores' authority, without its key, beside those that they trust", () => {
  const authority = (namespace: string, data: Record<string, string>): Manifest => {
    return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'stores-ca', namespace }, data }
  }
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const made = authority('gatehouse-stores', { 'ca.crt': base64('one\n'), 'tls.key': base64('secret') })
  const missing = missingSecrets([...stored(created), made], {})
  expect(missing.map(({ metadata, stringData }) => [metadata, stringData])).toEqual([
    [{ name: 'stores-ca', namespace: 'gatehouse' }, { 'ca.crt': 'one\n' }],
  ])
  expect(missingSecrets([...stored(created), made, ...stored(missing)], {})).toEqual([])
  const own = authority('gatehouse', { 'ca.crt': base64('mail\n') })
  expect(missingSecrets([...stored(created), made, own], {})[0]?.stringData).toEqual({ 'ca.crt': 'mail\none\n' })
})

/** Objects without the operators' password of NATS, which is nowhere else. */
const withoutOperator = (secrets: Manifest[]): Manifest[] =>
  secrets.map(({ stringData: { NATS_PASSWORD_OPERATOR: _, ...stringData }, ...rest }) => ({ ...rest, stringData }))

// Only MongoDB and its exporter have the password of `monitor`.
const shared = created.map(({ metadata }) => metadata.name).filter((name) => name !== 'mongodb-monitor')

test.each(shared)('a lost %s is made from the others as it was', (name) => {
  const missing = missingSecrets(without(name), { SMTP_URL: 'smtp://mail.example.org' })
  expect(withoutOperator(missing)).toEqual(withoutOperator(created.filter(({ metadata }) => metadata.name === name)))
})

test('Secrets that contradict each other are refused', () => {
  const other = stored(missingSecrets([], {})).filter(({ metadata }) => metadata.name === 'nats-passwords')
  expect(() => missingSecrets([...without('nats-passwords'), ...other], {})).toThrow(
    'NATS_URL of gatehouse-gateway and NATS_PASSWORD_GATEWAY of nats-passwords contradict each other',
  )
})
