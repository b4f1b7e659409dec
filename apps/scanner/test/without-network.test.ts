// @module-tag slow
import { text as textOf } from 'node:stream/consumers'
import { deep } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { Phone, SIGN } from './phone.ts'
import { idOf, STEWARDS, usePhones } from './phones.ts'

const HOUR = 3_600_000

describe('the scanner without a network', () => {
  const phones = usePhones(STEWARDS)

  test('without a network the device decides, visibly unconfirmed; with it each scan is confirmed, at the time of the scan', async () => {
    await phones.event.guest(phones.category, 'grace', { first_name: 'Grace' })
    const phone = await phones.newPhone('offline')
    await phone.knows()
    phones.proxy.cut()
    await phone.lost()
    const before = Date.now()
    expect(await phone.scan('grace')).toContain(en.unconfirmed)
    expect([await phone.look(), await phone.shown()]).toEqual(['unconfirmed', expect.stringContaining('Grace')])
    expect(await phone.scan('grace')).toContain(en.too_many)
    expect(await phone.shown()).toContain(en.refused_alone)
    expect(await phone.scan('nobody')).toContain(en.unknown)
    const after = Date.now()
    expect(await phones.statuses('grace')).toEqual([])
    phones.proxy.mend()
    await phone.sent()
    expect(await phones.statuses('grace')).toEqual([0, 3])
    for (const { access_stamp } of await phones.recorded('grace')) {
      expect(Date.parse(access_stamp)).toBeGreaterThanOrEqual(before - 1_000)
      expect(Date.parse(access_stamp)).toBeLessThanOrEqual(after + 1_000)
    }
    expect(await phone.page.getByRole('button', { name: /Conflicts/ }).count()).toBe(0)
    phones.proxy.cut()
    await phone.lost()
    await phones.event.guest(phones.category, 'later', { last_name: 'Hopper' })
    await phone.scan('later')
    expect(await phone.look()).toBe('unknown')
    phones.proxy.mend()
    await phone.found()
    await expect.poll(() => phone.look()).toBe('granted')
    await expect.poll(() => phone.shown()).toContain('Hopper')
    await phone.page.getByRole('button', { name: 'Conflicts (1)' }).waitFor()
  })

  test(
    'a slow server is not waited for; its late answer is shown, and the scan is recorded once, with what the phone decided',
    deep,
    async () => {
      for (const uid of ['slow', 'slower']) await phones.event.guest(phones.category, uid)
      const phone = await phones.newPhone('slow')
      await phone.knows()
      phones.proxy.freeze()
      await phone.scan('slow')
      expect(await phone.look()).toBe('unconfirmed')
      phones.proxy.thaw()
      await expect.poll(() => phone.look()).toBe('granted')
      await phone.found()
      await phone.sent()
      expect(await phones.recorded('slow')).toMatchObject([{ access_status: 0, decided_offline: 0 }])
      phones.proxy.freeze()
      expect(await phone.scan('slower')).toContain(en.unconfirmed)
      await phones.event.scan(phones.door, 'slower')
      phones.proxy.thaw()
      await expect.poll(() => phone.look()).toBe('too_many')
      await phone.found()
      await phone.page.getByRole('button', { name: 'Conflicts (1)' }).waitFor()
      const [conflict] = await phones.event.read('access_controls.json?conflicts=true')
      expect(conflict).toMatchObject({ guest_uid: 'slower', access_status: 3, decided_offline: 0 })
    },
  )

  test('killed in the middle and opened again without a network, a scanner has lost nothing', async () => {
    await phones.event.guest(phones.category, 'killed')
    const phone = await phones.newPhone('killed')
    await phone.knows()
    await phone.isInstalled()
    phones.proxy.cut()
    await phone.lost()
    await phone.scan('killed')
    await phone.crash()
    await phone.reopen(phones.address)
    expect(await phone.link()).toContain(en.waiting.replace('{count}', '1'))
    expect(await phone.scan('killed')).toContain(en.too_many)
    phones.proxy.mend()
    await phone.found()
    await phone.sent()
    expect(await phones.statuses('killed')).toEqual([0, 3])
  })

  test(
    'killed after it has asked and before it was answered, a scanner asks again for the same scan: it is recorded once',
    deep,
    async () => {
      await phones.event.guest(phones.category, 'asked')
      const phone = await phones.newPhone('asked')
      await phone.isInstalled()
      const isLost = phones.loseAnswers('access_status')
      await phone.scan('asked')
      await expect.poll(() => phones.statuses('asked')).toEqual([0])
      await phone.crash()
      expect(isLost()).toBe(true)
      phones.proxy.watch(() => true)
      await phone.reopen(phones.address)
      await phone.sent()
      expect(await phones.statuses('asked')).toEqual([0])
      expect(await phone.page.getByRole('button', { name: /Conflicts/ }).count()).toBe(0)
    },
  )

  test(
    'two scanners without a network let the same guest in: one of them says so afterwards, and so does the server',
    deep,
    async () => {
      await phones.event.guest(phones.category, 'twice', { first_name: 'Tim' })
      const both = await Promise.all(['north', 'south'].map((name) => phones.newPhone(name)))
      await Promise.all(both.map((phone) => phone.knows()))
      phones.proxy.cut()
      await Promise.all(both.map((phone) => phone.lost()))
      for (const phone of both) expect(await phone.scan('twice')).toContain(en.unconfirmed)
      phones.proxy.mend()
      await Promise.all(both.map((phone) => phone.found()))
      await Promise.all(both.map((phone) => phone.sent()))
      expect((await phones.statuses('twice')).sort()).toEqual([0, 3])
      const conflicts = both.map(({ page }) => page.getByRole('button', { name: 'Conflicts (1)' }))
      const counts = await Promise.all(conflicts.map((each) => each.count()))
      expect(counts.sort()).toEqual([0, 1])
      const found = await phones.event.read('access_controls.json?conflicts=true')
      expect(found.map(({ guest_uid }: { guest_uid: string }) => guest_uid)).toContain('twice')
      const shown = (await conflicts[0]?.count()) === 1 ? both[0] : both[1]
      await shown?.page.getByRole('button', { name: 'Conflicts (1)' }).click()
      const text = () => shown?.page.getByRole('listitem').innerText()
      await expect.poll(text).toMatch(/Already entered at Main entrance: .+\d$/)
      expect(await text()).toMatch(/^Tim[\s\S]+Let in here, but the server says: Already used\s/)
    },
  )

  test('a clock that is five hours late does not move a scan', deep, async () => {
    await phones.event.guest(phones.category, 'late')
    const context = await phones.newContext()
    await context.clock.setFixedTime(Date.now() - 5 * HOUR)
    const { code } = await phones.newDevice('late')
    const phone = await Phone.enrol(context, `${phones.address}#${code}`)
    await phone.scan('late')
    await phone.sent()
    const [checkIn] = await phones.recorded('late')
    expect(Math.abs(Date.parse(checkIn?.access_stamp ?? '') - Date.now())).toBeLessThan(60_000)
  })

  test('a full disk is said before any answer, and nothing is recorded', deep, async () => {
    await phones.event.guest(phones.category, 'full')
    const context = await phones.newContext()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: phones.proxy.url, quotaSize: 2_000_000 })
    const { code } = await phones.newDevice('full')
    const phone = await Phone.enrol(context, `${phones.address}#${code}`, page)
    await phone.fillDisk()
    expect(await phone.scan('full')).toContain(en.full)
    expect(await phones.statuses('full')).toEqual([])
  })

  test(
    'a revoked device forgets the guest list and all scans that the server has judged; it gives the others as a file, also when it is another device',
    deep,
    async () => {
      for (const uid of ['kept', 'own']) await phones.event.guest(phones.category, uid)
      const { _id, code } = await phones.newDevice('revoked')
      const phone = await Phone.enrol(
        await phones.newContext({ acceptDownloads: true, hasTouch: true }),
        `${phones.address}#${code}`,
      )
      await phone.knows()
      phones.proxy.cut()
      await phone.lost()
      await phone.scan('judged')
      await phones.event.guest(phones.category, 'judged')
      phones.proxy.mend()
      await phone.found()
      await phone.page.getByRole('button', { name: 'Conflicts (1)' }).waitFor()
      phones.proxy.cut()
      await phone.lost()
      await phone.scan('kept')
      const { page } = phone
      await page.getByRole('button', { name: SIGN }).click()
      const drawn = await phone.drawWithFinger([10, 10], [50, 40], [90, 40])
      await page.getByRole('button', { name: en.sign_done }).click()
      await page.getByText(en.signed).waitFor()
      await phones.event.remove(`devices/${_id}.json`)
      phones.proxy.mend()
      await phone.found()
      await page.getByRole('heading', { name: en.revoked_title }).waitFor()
      expect(await page.locator('.notice').first().innerText()).toContain(
        'on this device that have not reached the server: 1.',
      )
      await expect.poll(() => phone.kept()).toEqual({ snapshot: 0, scans: 1, token: null, hasCodeKey: false })
      const saved = async (words: string) => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: words }).click(),
        ])
        return JSON.parse(await textOf(await download.createReadStream()))
      }
      const [body, signed] = [await saved(en.save_scans), await saved(en.save_signatures)]
      expect(signed.signatures).toMatchObject([{ guest_uid: 'kept', points: drawn }])
      await page.getByLabel(en.code).fill((await phones.newDevice('next')).code)
      await page.getByRole('button', { name: en.enrol }).click()
      await page.locator('.outcome').waitFor()
      await phone.knows()
      expect(await page.getByRole('button', { name: /Conflicts/ }).count()).toBe(0)
      phones.proxy.cut()
      await phone.lost()
      await page.getByLabel(en.type_code).fill('own')
      await page.keyboard.press('Enter')
      await expect.poll(() => phone.link()).toContain(en.waiting.replace('{count}', '1'))
      expect(await saved(en.save_scans)).toEqual(body)
      expect(body.access_controls.map(({ guest_uid }: { guest_uid: string }) => guest_uid)).toEqual(['kept'])
      phones.proxy.mend()
      for (const [path, sent] of [
        ['access_controls', body],
        ['signatures', signed],
      ]) {
        const answer = await phones.event.api('POST', `${path}/batch_create.json`, sent)
        expect([answer.status, answer.body[0].guest_uid, answer.body[0].access_status ?? 0]).toEqual([201, 'kept', 0])
      }
    },
  )

  test('without a network a guest is found in the list on the phone and checked in, once the server answers by the uid', async () => {
    const namesakes = { first_name: 'Emmy', last_name: 'Noether-Listed' }
    for (const uid of ['listed-1', 'listed-2']) await phones.event.guest(phones.category, uid, namesakes)
    const lounge = await phones.event
      .make('guest_categories.json', { name: 'Lounge', device_names_enabled: true })
      .then(idOf)
    await phones.event.link(lounge, phones.door, 1)
    await phones.event.guest(lounge, 'listed-3', namesakes)
    const phone = await phones.newPhone('lists')
    const { page } = phone
    await phone.knows()
    phones.proxy.cut()
    await phone.lost()
    const choose = async () => {
      await page.getByRole('button', { name: en.find }).click()
      await page.getByLabel(en.search).fill('noether emmy')
      await page.getByRole('button', { name: 'Emmy Noether-Listed Lounge' }).click()
      await page.getByRole('button', { name: en.check_in }).click()
      return phone.next()
    }
    expect(await choose()).toContain(en.unconfirmed)
    expect(await phone.shown()).toContain('Lounge')
    await page.getByRole('button', { name: en.close }).click()
    expect(await choose()).toContain(en.too_many)
    await page.getByRole('button', { name: en.close }).click()
    expect(await phone.scan('listed-3')).toContain(en.too_many)
    phones.proxy.mend()
    await phone.found()
    await phone.sent()
    expect(await phones.statuses('listed-3')).toEqual([0, 3, 3])
    expect(await phones.statuses('listed-1')).toEqual([])
  })
})
