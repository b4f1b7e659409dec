import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { prepareStream, subjectIn } from '@gatehouse/proto/events/streams.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { runGatehouse } from '@gatehouse/test/harness/command-line.ts'
import { natsServer, startNats } from '@gatehouse/test/harness/own-nats.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { busUsers } from '../services/bus-users.ts'

const natsConfig = (...args: string[]) => runGatehouse(['nats-config', ...args], {})

/** Of `leads-password`. */
const BCRYPT_HASH = '$2a$04$abcdefghijklmnopqrstuu9DhEvnOWJDLpysadJi1.hqPousaiOoK'

describe.skipIf(!natsServer)('gatehouse nats-config', () => {
  test.each([
    ['the only account of a server', []],
    ['an account of its own', ['--account', 'TEAM']],
  ])('writes users for %s, whose passwords or hashes of them are in the environment', async (_what, options) => {
    const { out } = await natsConfig('--namespace', 'other', ...options)
    const names = Object.keys(busUsers)
    const passwords = new Map(names.map((name) => [name, `${name}-password`]))
    const variables = names.map((name) => [`NATS_PASSWORD_${name.toUpperCase()}`, passwords.get(name)])
    const nats = await startNats(out, { ...Object.fromEntries(variables), NATS_PASSWORD_LEADS: BCRYPT_HASH })
    const log = makeLog('test', 'silent')
    const open = (name: string, password = passwords.get(name)) =>
      connectBus({ servers: `nats://${name}:${password}@${nats.host}`, namespace: 'other', name, log })
    onTestFinished(() => nats.stop())
    for (const name of names) await (await open(name)).stop()
    await expect(open('leads', 'guests-password')).rejects.toThrow('NATS rejects the credentials')
    await expect(open('leads', BCRYPT_HASH)).rejects.toThrow('NATS rejects the credentials')
    const leads = await open('leads')
    await prepareStream(leads, 'domain')
    await leads.store(subjectIn(leads, 'domain', 'e'), Buffer.from('x'), 20_000)
    await expect(leads.call('sso.tokens.create', {})).rejects.toMatchObject({ code: 'unavailable' })
    await leads.stop()
  })

  test.each([
    ['--namespace', 'a b'],
    ['--namespace', '>'],
    ['--account', '"x" }'],
  ])('refuses %s %s', async (...args) => {
    expect(await natsConfig(...args)).toMatchObject({
      code: 2,
      err: expect.stringContaining('It takes letters'),
    })
  })
})
