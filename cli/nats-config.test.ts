import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { prepareStream, subjectIn } from '@gatehouse/proto/events/streams.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { runGatehouse } from '@gatehouse/test/harness/command-line.ts'
import { natsServer, startNats } from '@gatehouse/test/harness/own-nats.ts'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, PermissionViolationError } from '@nats-io/transport-node'
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

  test('with --cells gateways, sso and the command line ask other cells, and nobody else does; --hub has a user for each cell', async () => {
    const { out } = await natsConfig('--namespace', 'east', '--cells', 'west,north-1')
    const usersOf = (text: string) => new Map(text.split('{ user: ').map((each) => [each.split(',', 1)[0], each]))
    const asking = [...usersOf(out)].filter(([, each]) => each.includes('"west.'))
    expect(asking.map(([name]) => name)).toEqual(['gateway', 'sso', 'cli'])
    expect(usersOf(out).get('cli')).not.toContain('west.sso.accounts.bootstrap')
    const hub = usersOf((await natsConfig('--namespace', 'east', '--cells', 'west,north-1', '--hub')).out)
    expect([...hub.keys()].slice(1)).toEqual(['east', 'west', 'north-1'])
    expect(hub.get('north-1')).toContain('password: $NATS_PASSWORD_NORTH_1')
    expect(hub.get('west')).not.toContain('personal_data')
  })

  test('with --operator a further user looks at streams and deletes them, and can do nothing else', async () => {
    const { out } = await natsConfig('--namespace', 'other', '--operator')
    const names = [...Object.keys(busUsers), 'operator']
    const nats = await startNats(
      out,
      Object.fromEntries(names.map((name) => [`NATS_PASSWORD_${name.toUpperCase()}`, 'p'])),
    )
    onTestFinished(() => nats.stop())
    const hooks = await connectBus({
      servers: `nats://hooks:p@${nats.host}`,
      namespace: 'other',
      name: 'hooks',
      log: makeLog('test', 'silent'),
    })
    await prepareStream(hooks, 'domain')
    const operator = await connect({
      servers: nats.host,
      user: 'operator',
      pass: 'p',
      inboxPrefix: '_INBOX.other.operator',
    })
    const { streams, consumers } = await jetstreamManager(operator, { checkAPI: false })
    expect((await streams.list().next()).map(({ config }) => config.name)).toEqual(['other_domain'])
    expect(await consumers.list('other_domain').next()).toEqual([])
    expect(await streams.delete('other_domain')).toBe(true)
    await expect(streams.add({ name: 'other_domain' })).rejects.toThrow(/permission/i)
    const refused: string[] = []
    const noting = (async () => {
      for await (const status of operator.status())
        if (status.type === 'error' && status.error instanceof PermissionViolationError)
          refused.push(status.error.subject)
    })()
    operator.publish('other.guests.guests.list')
    operator.subscribe('_INBOX.other.gateway.>')
    await operator.flush()
    await operator.close()
    await noting
    expect(refused).toEqual(['other.guests.guests.list', '_INBOX.other.gateway.>'])
    await hooks.stop()
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
