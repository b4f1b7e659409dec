import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { natsUrlOf } from '@gatehouse/test/harness/nats-urls.ts'
import { bareEnv } from '@gatehouse/test/harness/process.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'
import { makeEvent, run, system, written } from './testing/ticket-event.ts'

const ALL = 1_500

function listOf(tickets: number): string {
  const header = 'Order code,Position ID,Status,Product,Attendee name,Ticket secret,Checked in'
  const rows = Array.from({ length: tickets }, (_, n) => {
    const seconds = new Date(Date.UTC(2026, 4, 4, 16, 0, n)).toISOString()
    return `O${n},1,paid,Regular,Ida Invent ${n},secret-${n},${n % 3 === 0 ? seconds : ''}`
  })
  return [header, ...rows].join('\n')
}

async function countsOf(event: string): Promise<[guests: number, checkIns: number]> {
  const { body } = await system.api('GET', `events/${event}.json`)
  return [body.guest_count, body.check_in_count]
}

test('killed in the middle and run again, it has brought in each ticket and each check-in once', slow, async () => {
  const event = await makeEvent()
  const paths = await written({ 'list.csv': listOf(ALL) })
  const importing = spawn(process.execPath, ['cli/main.ts', 'import', 'pretix', ...paths, '--event', event], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { ...bareEnv, NATS_URL: natsUrlOf('cli'), NAMESPACE: system.namespace },
    stdio: 'ignore',
  })
  const ended = once(importing, 'exit')
  await expect.poll(async () => (await countsOf(event))[0], { interval: 5 }).toBeGreaterThan(0)
  importing.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect((await run('pretix', paths, { event })).code).toBe(0)
  await expect.poll(() => countsOf(event)).toEqual([ALL, ALL / 3])
  const again = await run('pretix', paths, { event })
  expect(again.out).toEqual([
    `0 imported, ${ALL} already there, 0 bad`,
    `0 check-ins imported, ${ALL / 3} already there`,
  ])
  expect(await countsOf(event)).toEqual([ALL, ALL / 3])
})
