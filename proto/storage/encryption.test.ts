import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from '../process/config.ts'
import { Sealer, sealedSettings } from './encryption.ts'

const key = () => randomBytes(32).toString('base64')

test('what was sealed opens under the same key alone, and never looks the same twice', () => {
  const secret = key()
  const sealer = new Sealer(secret)
  const sealed = sealer.seal('clé secrète')
  expect(new Sealer(secret).open(sealed)).toBe('clé secrète')
  expect(sealer.seal('clé secrète')).not.toBe(sealed)
  expect(() => new Sealer(key()).open(sealed)).toThrow()
})

test('what was changed does not open', () => {
  const sealer = new Sealer(key())
  const bytes = Buffer.from(sealer.seal('secret'), 'base64')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    expect(() => sealer.open(changed.toString('base64'))).toThrow()
  }
})

test('a key that is not 32 bytes of base64 stops the process and names itself', () => {
  const others = { MONGODB_URL: 'mongodb://x', NATS_URL: 'nats://x' }
  expect(() => readConfig(sealedSettings, { ...others, SECRETS_KEY: 'short' })).toThrow(/SECRETS_KEY/)
  expect(() => readConfig(sealedSettings, others)).toThrow(/SECRETS_KEY is missing/)
  expect(readConfig(sealedSettings, { ...others, SECRETS_KEY: key() }).secrets_key).toHaveLength(44)
})
