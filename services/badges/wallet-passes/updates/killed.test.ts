import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApnsServer } from '@gatehouse/test/harness/apns-server.ts'
import { makeCertificate } from '@gatehouse/test/harness/certificates.ts'
import { type KillableProcess, startKillable } from '@gatehouse/test/harness/killable.ts'
import { makePassCertificates } from '@gatehouse/test/harness/pass-certificates.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nameOn, Phone } from '../../testing/phone.ts'

const PHONES = 4
/** Answers of the store at which the process is killed; a change of the phones' passes takes more. A pass waits a minute for its next attempt. */
const ANSWERS = [1, 2, 4, 7, 11, 16]

/** The only process of badges dies between a change of guests and the pushes. */
describe('a badges process that dies while it tells phones of changed passes', () => {
  let folder: string
  let apns: ApnsServer
  let system: System
  let badges: KillableProcess
  let event: TestEvent

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'passes-'))
    const [{ settings }, certificate] = await Promise.all([makePassCertificates(folder), makeCertificate(folder)])
    apns = await ApnsServer.start(certificate, settings.apple_wwdr_certificate_file)
    system = await startSystem({ with: ['hooks', 'leads', 'partners'] })
    badges = await startKillable('badges', system, { ...settings, apns_url: apns.url, apns_ca_file: certificate.ca })
    event = await TestEvent.open(system)
  })
  afterAll(async () => {
    await badges?.stop()
    await system?.stop()
    apns?.stop()
    await rm(folder, { recursive: true })
  })

  test('every phone is told of the last change, and gets the pass that says it', deep, async () => {
    const category = await event.category()
    const guests = await Promise.all(Array.from({ length: PHONES }, (_, n) => event.guest(category, `held-${n}`)))
    const phones = await Promise.all(guests.map((guest) => Phone.of(event, guest)))
    expect(await Promise.all(phones.map((phone) => phone.register()))).toEqual(phones.map(() => 201))
    const kills: number[] = []
    for (const nth of ANSWERS) {
      const told = phones.map((phone) => apns.to(phone.token).length)
      const wasKilled = await badges.killAtAnswer(nth)
      const first_name = `Version ${nth}`
      await Promise.all(guests.map((guest) => event.change(`guests/${guest}.json`, { first_name })))
      await expect
        .poll(() => phones.every((phone, index) => apns.to(phone.token).length > (told[index] as number)))
        .toBe(true)
      if (wasKilled()) kills.push(nth)
      await badges.serving()
      for (const phone of phones) {
        await expect.poll(async () => nameOn((await phone.latest()).pass)).toContain(first_name)
      }
    }
    expect(kills.length).toBeGreaterThan(ANSWERS.length / 2)
  })
})
