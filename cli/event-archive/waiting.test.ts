// @module-tag slow
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { leftOf } from '../../services/guests/testing/left-of-event.ts'
import { addresses, TestCampaign } from '../../services/partners/testing/test-campaign.ts'
import { sendAll } from '../../services/partners/testing/test-sending.ts'
import { eventData } from '../permissions.ts'
import { entriesOf } from '../testing/archive-entries.ts'
import { captured } from '../testing/captured-terminal.ts'
import { exportEverything } from './export.ts'
import { importEverything } from './import.ts'

const system = await sharedSystem()
const root = await mkdtemp(join(tmpdir(), 'event-archive-'))
afterAll(() => rm(root, { recursive: true, force: true }))

/** Exports an event at once. */
async function exported(event: string): Promise<{ file: string; err: string }> {
  const file = join(root, `${event}.tgz`)
  const terminal = captured()
  expect(await exportEverything({ event, out: file, wait: 0 }, system.bus, terminal), terminal.text.err).toBe(0)
  return { file, err: terminal.text.err }
}

async function moved(event: TestEvent, file: string): Promise<void> {
  expect((await system.api('DELETE', `events/${event.id}.json?title=Fair`)).status).toBe(204)
  await expect.poll(() => leftOf(system, event.id), { timeout: 120_000, interval: 1_000 }).toEqual([])
  expect(await importEverything(file, { account: system.slug }, system.bus, captured())).toBe(0)
}

/** An event with an invitation that waits, since its partner sends none. */
async function waiting(): Promise<TestCampaign> {
  const campaign = await TestCampaign.open(system)
  await campaign.invite(addresses(3, 'waiting'))
  return campaign
}

describe('an e-mail that waits to be sent', () => {
  test('is in the archive, and held after an import until its campaign is resumed', async () => {
    const campaign = await waiting()
    const { testEvent, id, type } = campaign
    const { file, err } = await exported(testEvent.id)
    expect(err).toContain('E-mails that still wait to be sent are exported as they are.')
    await moved(testEvent, file)
    expect(await sendAll(campaign)).toEqual([])
    const paused = (await campaign.organizersView()).partner_campaigns[0]
    expect(paused).toMatchObject({ paused_at: expect.any(String), pause_reason: expect.stringContaining('imported') })
    const path = `invitation_types/${type}/partner_campaigns/${id}`
    expect(await testEvent.read(`${path}/invitations.json?state=queued`)).toHaveLength(3)
    expect((await testEvent.api('POST', `${path}/resume.json`)).status).toBe(200)
    expect(await sendAll(campaign)).toHaveLength(3)
  })

  test('keeps no import from being repeated at its end', async () => {
    const { testEvent } = await waiting()
    const { file } = await exported(testEvent.id)
    await moved(testEvent, file)
    const service = eventData.find((each) => each.service === 'partners') as (typeof eventData)[number]
    const entries = await entriesOf(file)
    for (const collection of ['invitations', 'partner_campaigns']) {
      const documents = (entries[`partners.${collection}/00001.jsonl`] ?? '').replace(/\n\{"\$seal".*\n$/, '')
      const { account_id } = system
      const body = { account_id, from_account_id: account_id, event_id: testEvent.id, collection, documents }
      expect(await clientOf(system.bus, service).put({ body })).toMatchObject({ refused: [] })
    }
  })

  test('is in the archive that the console downloads, and so is a mailing that is still to find guests, as a draft', async () => {
    const { testEvent } = await waiting()
    const mailing = { name: 'Later', subject: 'Hello', message: 'Hello', send_at: '2040-01-01T00:00:00Z' }
    const { _id } = await testEvent.make('mailings.json', mailing)
    expect((await testEvent.api('POST', `mailings/${_id}/send.json`)).status).toBeLessThan(300)
    const headers = { authorization: `Bearer ${system.auth_token}` }
    const answer = await fetch(`${system.url}/api/v1/events/${testEvent.id}/archive.tgz`, { headers })
    expect(answer.status).toBe(200)
    const file = join(root, 'downloaded.tgz')
    await writeFile(file, new Uint8Array(await answer.arrayBuffer()))
    expect((await entriesOf(file))['partners.invitations/00001.jsonl']).toContain('waiting-0@example.org')
    await moved(testEvent, file)
    expect(await testEvent.read(`mailings/${_id}.json`)).toMatchObject({ started_at: null, paused_at: null })
  })
})
