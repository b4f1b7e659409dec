// @module-tag slow
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { captured } from '../testing/captured-terminal.ts'
import type { AnsweredScan } from './arrivals.ts'
import { runDemo } from './command.ts'
import { compareAllowances, compareStored } from './comparing.ts'
import { showsMails } from './invitations.ts'
import { makePlan } from './plan.ts'
import { compareCounts } from './recount.ts'

let system: System
let mail_folder: string
const mailSecret = 's'.repeat(43)

beforeAll(async () => {
  mail_folder = await mkdtemp(join(tmpdir(), 'gatehouse-demo-'))
  const mail = { mail_folder }
  const gateway = { ...mail, mail_folder_secret: mailSecret }
  system = await startSystem({ with: ['partners', 'promo', 'mail'], mail, gateway })
})
afterAll(async () => {
  await system?.stop()
  await rm(mail_folder, { recursive: true, force: true })
})

test('the demo finds that stored check-ins equal the answers', async () => {
  const terminal = captured()
  const code = await runDemo({ guests: 200, seconds: 2, seed: 3, mailSecret }, system.bus, system.url, terminal)
  expect([code, terminal.text.out]).toEqual([0, expect.stringContaining('Main entrance')])
  const scans = makePlan(3, 200).scans.length
  expect(terminal.text.out).toContain(`answered check-ins are those stored (${scans} compared)`)
  expect(terminal.text.out.match(/^same /gm)).toHaveLength(5)
  expect(terminal.text.out).not.toContain('DIFFERS')
})

test('who accepts by the link of an e-mail is at the door; where e-mails are not shown that is left out', async () => {
  const terminal = captured()
  const options = { guests: 5, seconds: 1, seed: 3, mailSecret }
  expect(await runDemo(options, system.bus, system.url, terminal)).toBe(0)
  expect(terminal.text.out).toMatch(
    /^same +who accepts by the link of an e-mail is at the door, and nobody else \(3 compared\)$/m,
  )
  const [, example = ''] = /^The e-mail of an invitation: (\S+)$/m.exec(terminal.text.out) ?? []
  expect(await (await fetch(example)).text()).toContain('Dear Małgorzata Wójcik,')

  const other = await startSystem()
  const without = captured()
  expect(await runDemo(options, other.bus, other.url, without)).toBe(0)
  expect(without.text.out.match(/^same /gm)).toHaveLength(4)
  expect(without.text.err).toContain('Skipping invitations by e-mail')
  await other.stop()
})

test('whether e-mails are shown is asked again while the gateway has too much to do', async () => {
  const statuses = [503, 503, 200, 404]
  const gateway = createServer((_request, reply) => void reply.writeHead(statuses.shift() ?? 500).end())
  const address = await once(gateway.listen(0, '127.0.0.1'), 'listening').then(() => gateway.address() as AddressInfo)
  const url = `http://127.0.0.1:${address.port}`
  const pages = { url, secret: mailSecret }
  expect([await showsMails(pages), await showsMails(pages), statuses]).toEqual([true, false, []])
  gateway.close()
})

test('when stopped, it compares the answers until then', async () => {
  const stop = new AbortController()
  const terminal = captured({ stop: stop.signal })
  const running = runDemo({ guests: 100, seconds: 600, seed: 3 }, system.bus, system.url, terminal)
  while (!terminal.text.err.includes('minute')) await new Promise((resolve) => setTimeout(resolve, 20))
  stop.abort()
  expect(await running).toBe(130)
  expect(terminal.text.out.match(/^same /gm)).toHaveLength(4)
})

const door = 'Main entrance'
const doorIds = new Map([[door, 'd1']] as const)
const answer = (_id: string, access_status: number, uid = 'ada'): AnsweredScan => ({
  scan: { at: 0, door, uid },
  _id,
  access_status,
  access_stamp: '2026-01-01T10:00:00.000Z',
})
const stored = ({ _id, access_status, access_stamp, scan }: AnsweredScan) => ({
  _id,
  access_status,
  access_stamp,
  guest_uid: scan.uid,
  accesspoint_id: 'd1',
})

test('a check-in that is lost, changed, double or never answered is a difference', () => {
  const answers = [answer('a', 0), answer('b', 3)]
  const [a, b] = answers.map(stored) as [ReturnType<typeof stored>, ReturnType<typeof stored>]
  const differences = (list: (typeof a)[]) => compareStored(answers, list, doorIds).differences
  expect(differences([b, a])).toEqual([])
  expect(differences([a])).toEqual(['b was answered with 3 and is not stored'])
  expect(differences([a, { ...b, access_status: 0 }])).toEqual(['b was answered with 3 and is stored with 0'])
  expect(differences([a, { ...b, guest_uid: 'bob' }])).toEqual(['b is stored as another scan'])
  expect(differences([a, a, b])).toEqual(['1 are listed more than once'])
  expect(differences([a, b, { ...b, _id: 'c' }])).toEqual(['c is stored and was never answered'])
})

test('one granted too many, one too few, and a wrong reason are differences', () => {
  const [first] = makePlan(1, 1).guests
  const visitor = { ...first!, uid: 'ada', category: 'Visitor' as const }
  const differences = (...statuses: number[]) =>
    compareAllowances(
      statuses.map((status, index) => answer(`${index}`, status)),
      [visitor],
    ).differences
  expect(differences(3, 0, 3)).toEqual([])
  expect(differences(0, 0, 3)).toEqual(['ada at Main entrance: expected 0,3,3, answered 0,0,3'])
  expect(differences(3, 3)).toHaveLength(1)
  expect(differences(0, 2)).toHaveLength(1)
  expect(compareAllowances([answer('a', 1, 'nobody')], [visitor]).differences).toEqual([])
  expect(compareAllowances([answer('a', 0, 'nobody')], [visitor]).differences).toHaveLength(1)
})

test('counts are compared whatever the order of their lists, and a missing or surplus entry is a difference', () => {
  const expected = {
    check_in_count: 2,
    by_status: [
      { access_status: 0, count: 1 },
      { access_status: 1, count: 1 },
    ],
  }
  const differences = (given: object) => compareCounts('', expected, given).differences
  expect(differences({ ...expected, by_status: expected.by_status.toReversed(), title: 'x' })).toEqual([])
  expect(differences({ ...expected, check_in_count: 3 })).toEqual(['check_in_count: expected 2, found 3'])
  expect(differences({ ...expected, by_status: expected.by_status.slice(1) })).toHaveLength(1)
  expect(differences({ ...expected, by_status: [...expected.by_status, { access_status: 2, count: 1 }] })).toHaveLength(
    1,
  )
})
