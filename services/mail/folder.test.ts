// @module-tag slow
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addresses, TestCampaign } from '@gatehouse/partners/test-campaign'
import { mailCookie } from '@gatehouse/proto/process/mail-folder.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { startReplica } from '@gatehouse/test/harness/replica.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

describe('with a folder in place of a mail server', () => {
  const secret = 's'.repeat(43)
  let folder: string
  let system: System
  let workers: Running[]

  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'gatehouse-mail-')), 'mail')
    system = await startSystem({
      with: ['partners', 'promo'],
      gateway: { mail_folder: folder, mail_folder_secret: secret },
    })
    const start = () => startReplica('mail', system, { mail_folder: folder })
    workers = await Promise.all([start(), start()])
  })
  afterAll(async () => {
    await Promise.all(workers?.map((worker) => worker.stop()) ?? [])
    await system?.stop()
    await rm(join(folder, '..'), { recursive: true, force: true })
  })

  test('e-mails of invitations are files there, named after the invitations, which count as sent', async () => {
    const campaign = await TestCampaign.open(system)
    const { body } = await campaign.invite(addresses(12))
    await expect.poll(async () => (await campaign.counters()).nb_email_sent).toBe(12)
    const names = body.map(({ _id }: { _id: string }) => `${_id}.eml`)
    expect(await readdir(folder)).toEqual(expect.arrayContaining(names))
    // They hold links that answer in another's name.
    expect((await stat(join(folder, names[0]))).mode & 0o077).toBe(0)
    const shown = await fetch(`${system.url}/dev/mail/${body[0]._id}`, { headers: { cookie: mailCookie(secret) } })
    expect(await shown.text()).toMatch(new RegExp(`<a href="${system.url}/rsvp/${body[0]._id}/[\\w-]{43}"`))
  })
})

test('without a secret there is no /dev/mail', async () => {
  const system = await startSystem({ gateway: { mail_folder: '/tmp' } })
  expect((await fetch(`${system.url}/dev/mail`)).status).toBe(404)
  await system.stop()
})
