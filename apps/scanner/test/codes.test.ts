// @module-tag slow

import { events } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { overflowing } from '@gatehouse/test/harness/chromium-pages.ts'
import { typeAsReader } from '@gatehouse/test/harness/reader.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { Phone } from './phone.ts'
import { STEWARDS, usePhones } from './phones.ts'

/** The keys `MECARD:UID:mq;;` of a US keyboard as a French host shows them, each with its place, and a plus sign while Shift is held. */
const TYPE_ON_FRENCH_HOST = `(target) => {
  const field = target instanceof HTMLInputElement ? target : undefined
  field?.focus()
  const keys = '?KeyM+ EKeyE+ CKeyC+ QKeyA+ RKeyR+ DKeyD+ MSemicolon+ UKeyU+ IKeyI+ DKeyD+ MSemicolon+ ,KeyM aKeyQ'
  for (const each of [...keys.split(' '), 'mSemicolon', 'mSemicolon']) {
    const [, key, code, shift] = /^(.)(\\w+)(\\+?)$/.exec(each)
    const event = new KeyboardEvent('keydown', { key, code, shiftKey: shift === '+', bubbles: true, cancelable: true })
    if (target.dispatchEvent(event) && field) {
      field.value += key
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
  return field?.value ?? ''
}`

describe('codes before the camera and from readers', () => {
  const phones = usePhones(STEWARDS)

  test('a code in the address makes a phone the device and is taken out of it; typed uids are answered by the server', async () => {
    await phones.event.guest(phones.category, 'ada', { first_name: 'Ada', last_name: 'Lovelace' })
    const phone = await phones.newPhone('typed')
    expect(phone.page.url()).toBe(phones.address)
    await phone.scan('ada')
    await expect.poll(() => phone.shown()).toMatch(/^Welcome\s+Ada Lovelace\s+VIP$/)
    await expect.poll(() => phone.look()).toBe('granted')
    await phone.scan('ada')
    await expect.poll(() => phone.look()).toBe('too_many')
    await phone.scan('nobody')
    await expect.poll(() => phone.look()).toBe('unknown')
    await expect.poll(() => phones.statuses('ada')).toEqual([0, 3])
  })

  test('the QR code of a guest, held before the camera, is green once', async () => {
    const { qrcode_url } = await phones.event.make('guests.json', {
      guest_category_id: phones.category,
      last_name: 'Hopper',
    })
    await phones.showCode(qrcode_url)
    const phone = await phones.newPhone('camera')
    await phone.startCamera()
    await phone.next()
    await expect.poll(() => phone.look()).toBe('granted')
    await phones.showNothing()
    expect(await phone.page.locator('.outcome').getAttribute('data-number')).toBe('1')
    expect(await phone.hasLoadedDecoder()).toBe(true)
  })

  // About a second, of the camera.
  test(
    'where the browser reads QR codes itself, what it reads is scanned, and the decoder is not loaded',
    deep,
    async () => {
      await phones.event.guest(phones.category, 'read-by-browser')
      const context = await phones.newContext()
      // Chromium has no reader on Linux. As one of a phone, this one throws until the video has a picture.
      await context.addInitScript({
        content: `globalThis.BarcodeDetector = class {
        static getSupportedFormats = async () => ['aztec', 'qr_code']
        #formats
        constructor({ formats }) {
          this.#formats = String(formats)
        }
        async detect(source) {
          if (!(source instanceof HTMLVideoElement) || source.videoWidth === 0) throw new DOMException('no picture')
          return this.#formats === 'qr_code' ? [{ rawValue: 'read-by-browser' }] : []
        }
      }`,
      })
      const { code } = await phones.newDevice('reads itself')
      const phone = await Phone.enrol(context, `${phones.address}#${code}`)
      await phone.startCamera()
      await phone.next()
      await expect.poll(() => phone.look()).toBe('granted')
      expect(await phones.statuses('read-by-browser')).toEqual([0])
      expect(await phone.hasLoadedDecoder()).toBe(false)
    },
  )

  test('a ciphered code is read by the server', deep, async () => {
    const { uid, qrcode_url } = await phones.event.make('guests.json', {
      guest_category_id: phones.category,
      last_name: 'Enigma',
    })
    const cipher = (qr_code_ciphering_enabled: boolean) =>
      phones.event.system.api('PUT', `events/${phones.event.id}.json`, { qr_code_ciphering_enabled })
    onTestFinished(async () => void (await cipher(false)))
    await cipher(true)
    await phones.showCode(qrcode_url)
    const phone = await phones.newPhone('ciphered')
    await phone.startCamera()
    await phone.next()
    await expect.poll(() => phone.look()).toBe('granted')
    expect(await phones.statuses(uid)).toEqual([0])
    await phones.showNothing()
  })

  // Some seconds, of the camera and of three contacts.
  test(
    'a ciphered code is read without a network where the organizer allows devices its key, which goes when that ends and when the device is revoked',
    deep,
    async () => {
      const allow = (fields: object) => phones.event.system.api('PUT', `events/${phones.event.id}.json`, fields)
      const allowed = { qr_code_ciphering_enabled: true, device_qr_code_key_enabled: true }
      onTestFinished(async () => void (await allow({ qr_code_ciphering_enabled: false })))
      await allow(allowed)
      const { uid, qrcode_url } = await phones.event.make('guests.json', {
        guest_category_id: phones.category,
        last_name: 'Welchman',
      })
      const { _id, code } = await phones.newDevice('has the key')
      const phone = await Phone.enrol(await phones.newContext(), `${phones.address}#${code}`)
      await phone.knows()
      await phone.isInstalled()
      await phone.hasCodeKey()
      const ciphering = await clientOf(phones.system.bus, events).ciphering({ body: { event_id: phones.event.id } })
      const [readable, { token }] = [await phone.readable(), await phone.kept()]
      for (const shown of [token, ciphering.iv]) expect(readable).toContain(shown)
      const key = Buffer.from(ciphering.key ?? '', 'base64')
      for (const hidden of [key.toString('hex'), key.toString('base64').replace('=', ''), key.toString('base64url')])
        expect(readable).not.toContain(hidden)
      phones.proxy.cut()
      await phone.lost()
      await phones.showCode(qrcode_url)
      await phone.startCamera()
      expect(await phone.next()).toContain('Welchman')
      expect(await phone.look()).toBe('unconfirmed')
      await phones.showNothing()
      await allow({ device_qr_code_key_enabled: false })
      expect((await phone.kept()).hasCodeKey).toBe(true)
      phones.proxy.mend()
      await phone.found()
      await phone.sent()
      expect(await phones.recorded(uid)).toMatchObject([{ access_status: 0, decided_offline: 0 }])
      await phone.hasCodeKey(false)

      phones.proxy.cut()
      await phone.lost()
      await phone.scan('E:AAAA')
      expect(await phone.look()).toBe('undecided')
      await allow(allowed)
      phones.proxy.mend()
      await phone.found()
      await phone.hasCodeKey()
      await phones.event.remove(`devices/${_id}.json`)
      await phone.found()
      await phone.page.getByRole('heading', { name: en.revoked_title }).waitFor()
      await expect.poll(() => phone.kept()).toMatchObject({ token: null, hasCodeKey: false })
    },
  )

  test(
    'a guest without a code is found by name, and a reader that types needs neither a field nor the layout of its host',
    deep,
    async () => {
      await phones.event.guest(phones.category, 'mary', { first_name: 'Mary', last_name: 'Somerville' })
      await phones.event.guest(phones.category, 'typed-by-scanner')
      const { page, ...phone } = await phones.newPhone('by name')
      void phone
      await page.getByRole('button', { name: en.find }).click()
      await page.getByLabel(en.search).fill('somer')
      await page.getByRole('button', { name: 'Mary Somerville VIP · …mary' }).click()
      await page.getByRole('button', { name: en.check_in }).click()
      await page.locator('.outcome.granted').waitFor()
      await page.locator('body').click({ position: { x: 5, y: 5 } })
      await typeAsReader(page, 'typed-by-scanner\n')
      await page.locator('.outcome.granted[data-number="2"]').waitFor()
      expect(await phones.statuses('typed-by-scanner')).toEqual([0])
      await phones.event.guest(phones.category, 'mq')
      // A reader set to US types MECARD:UID:mq;; on a French host, without a suffix, on the page and into a field, which then is empty.
      const typeOnFrenchHost = (selector: string) =>
        page.evaluate(`(${TYPE_ON_FRENCH_HOST})(document.querySelector('${selector}'))`)
      await typeOnFrenchHost('body')
      await page.locator('.outcome.granted[data-number="3"]').waitFor()
      await page.getByRole('button', { name: en.find }).click()
      expect(await typeOnFrenchHost('#words')).toBe('')
      await page.locator('.outcome[data-number="4"]').waitFor()
      expect(await phones.statuses('mq')).toEqual([0, 3])
    },
  )

  test('the steward lights, zooms, mutes and enlarges; what is set stays', async () => {
    const context = await phones.newContext()
    await context.addInitScript({
      content: `globalThis.applied = []
      globalThis.sounds = 0
      MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true, zoom: { min: 1, max: 4, step: 0.5 } })
      MediaStreamTrack.prototype.applyConstraints = async ({ advanced }) => void applied.push(...advanced)
      globalThis.AudioContext = class extends AudioContext {
        constructor() {
          super()
          sounds++
        }
      }`,
    })
    const { code } = await phones.newDevice('comfort')
    const phone = await Phone.enrol(context, `${phones.address}#${code}`)
    await phone.startCamera()
    const light = phone.page.getByRole('button', { name: en.camera_light })
    await light.click()
    await expect.poll(() => light.getAttribute('aria-pressed')).toBe('true')
    await phone.page.getByLabel(en.camera_zoom).fill('2')
    expect(await phone.page.evaluate('applied')).toEqual([{ torch: true }, { zoom: 2 }])
    await phone.page.getByRole('button', { name: en.settings }).click()
    await phone.page.getByLabel(en.setting_sound).uncheck()
    await phone.page.getByLabel(en.setting_large).check()
    await phone.page.keyboard.press('Escape')
    await phone.scan('nobody-muted')
    await expect.poll(() => phone.look()).toBe('unknown')
    expect(await phone.page.evaluate('[sounds, document.documentElement.className]')).toEqual([0, 'large'])
    await phone.page.reload()
    await phone.ready()
    await expect.poll(() => phone.page.evaluate('document.documentElement.className')).toBe('large')
    expect(await overflowing(phone.page)).toEqual([])
  })

  test('where there is no picture the app says why, and what to do', deep, async () => {
    const { page, ...phone } = await phones.newPhone('without a picture')
    void phone
    const start = page.getByRole('button', { name: en.camera_start })
    for (const [error, problem] of [
      ['NotAllowedError', en.camera_denied],
      ['NotFoundError', en.camera_none],
      ['NotReadableError', en.camera_busy],
    ] as const) {
      await page.evaluate(
        `navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', '${error}') }`,
      )
      // The app has started the camera by itself if it is allowed.
      if ((await start.count()) === 0) await page.getByRole('button', { name: en.camera_stop }).click()
      await start.click()
      await page.getByRole('alert').getByText(problem).waitFor()
    }
  })
})
