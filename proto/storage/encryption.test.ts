import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from '../process/config.ts'
import { encryptionSettings } from '../serving/service.ts'
import { Encrypter } from './encryption.ts'

const key = () => randomBytes(32).toString('base64')

test('decrypts only under the same key, and never encrypts to the same text twice', () => {
  const secret = key()
  const sealer = new Encrypter(secret)
  const sealed = sealer.encrypt('clé secrète')
  expect(new Encrypter(secret).decrypt(sealed)).toBe('clé secrète')
  expect(sealer.encrypt('clé secrète')).not.toBe(sealed)
  expect(() => new Encrypter(key()).decrypt(sealed)).toThrow()
})

test('a changed text does not decrypt', () => {
  const sealer = new Encrypter(key())
  const bytes = Buffer.from(sealer.encrypt('secret'), 'base64')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    expect(() => sealer.decrypt(changed.toString('base64'))).toThrow()
  }
})

test('a key that is not 32 bytes of base64 stops the process and names itself', () => {
  const others = { MONGODB_URL: 'mongodb://x', NATS_URL: 'nats://x' }
  expect(() => readConfig(encryptionSettings, { ...others, SECRETS_KEY: 'short' })).toThrow(/SECRETS_KEY/)
  expect(() => readConfig(encryptionSettings, others)).toThrow(/SECRETS_KEY is missing/)
  expect(readConfig(encryptionSettings, { ...others, SECRETS_KEY: key() }).secrets_key).toHaveLength(44)
})
