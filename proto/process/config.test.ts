import { expect, test } from 'vitest'
import { choice, integer, text } from '../declaring/fields.ts'
import { readConfig, withDefaults } from './config.ts'

const settings = {
  mongodb_url: text(),
  nats_url: text(),
  port: integer({ default: 8080, minimum: 0, maximum: 65_535 }),
  rate_limits: choice(['on', 'off'], { default: 'on' }),
}

test('each setting is the environment variable of its name in capitals, read as its kind', () => {
  const env = { MONGODB_URL: 'mongodb://x', NATS_URL: 'nats://x', PORT: '0', RATE_LIMITS: 'off', PATH: '/bin' }
  expect(readConfig(settings, env)).toEqual({
    mongodb_url: 'mongodb://x',
    nats_url: 'nats://x',
    port: 0,
    rate_limits: 'off',
  })
})

test('an unset setting has its default', () => {
  const config = readConfig(settings, { MONGODB_URL: 'a', NATS_URL: 'b', PORT: '' })
  expect(config).toMatchObject({ port: 8080, rate_limits: 'on' })
})

test('a configuration from code has the defaults of what is not given', () => {
  expect(withDefaults(settings, { nats_url: 'b', port: 0 })).toEqual({ nats_url: 'b', port: 0, rate_limits: 'on' })
})

test('every missing setting names itself', () => {
  expect(() => readConfig(settings, { MONGODB_URL: '' })).toThrow(
    'Configuration: MONGODB_URL is missing; NATS_URL is missing',
  )
})

test('an unreadable setting names itself and says why, without its value', () => {
  const env = { MONGODB_URL: 'a', NATS_URL: 'b', PORT: 'secret', RATE_LIMITS: 'maybe' }
  expect(() => readConfig(settings, env)).toThrow(
    'Configuration: PORT is not a whole number; RATE_LIMITS is not one of on, off',
  )
})
