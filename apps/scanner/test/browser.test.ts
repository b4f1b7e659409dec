// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import AxeBuilder from '@axe-core/playwright'
import { events } from '@gatehouse/guests/resources'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { type Language, tags } from '@gatehouse/proto/pages/languages.ts'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { overflowing } from '@gatehouse/test/harness/chromium-pages.ts'
import { fakeCamera, writeVideo } from '@gatehouse/test/harness/fake-camera.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { System } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { deep, sampled } from '@gatehouse/test/rounds.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import guide from '../src/texts/guide/en.json' with { type: 'json' }
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { Phone } from './phone.ts'

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

const viewport = { width: 360, height: 740 }
const HOUR = 3_600_000
/** A name of this machine that browsers take for another one. */
const ELSEWHERE = 'scanner.test'

/** The button by which a guest signs. */
const SIGN = new RegExp(`^${en.sign.replace('{name}', '.+')}$`)
const signOf = (name: string): string => en.sign.replace('{name}', name)

describe('the scanner in a browser', () => {
  let system: System
  /** What phones connect to. */
  let proxy: TcpProxy
  let browser: Browser
  let folder: string
  let video: string
  let testEvent: TestEvent
  let category: string
  let door: string
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scanner-'))
    video = join(folder, 'camera.y4m')
    await writeVideo(video)
    ;[system, browser] = await Promise.all([
      sharedSystem(),
      startChromium([...fakeCamera(video), `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`]),
    ])
    proxy = await proxyTo(system.url)
    testEvent = await TestEvent.open(system, { title: 'Opening Night' })
    category = await testEvent.make('guest_categories.json', { name: 'VIP', device_names_enabled: true }).then(idOf)
    door = await testEvent.make('accesspoints.json', { name: 'Main entrance', signature_enabled: true }).then(idOf)
    await testEvent.link(category, door, 1)
  })
  afterEach(async () => {
    proxy.mend()
    proxy.thaw()
    proxy.watch(() => true)
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await proxy?.close()
    await system?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const app = (): string => `${proxy.url}/scanner/`
  const newContext = async (options = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport, locale: 'en-GB', ...options })
    // The machine may be busy.
    context.setDefaultTimeout(90_000)
    contexts.push(context)
    return context
  }
  const newDevice = (name: string, accesspoint_ids = [door]) =>
    testEvent.make('devices.json', { name, accesspoint_ids })
  /** A phone that the organizer has made a device. */
  const newPhone = async (name: string, options = {}): Promise<Phone> => {
    const { code } = await newDevice(name)
    return Phone.enrol(await newContext(options), `${app()}#${code}`)
  }
  /** The check-ins of a guest, in the order of their stamps. */
  const recorded = async (uid: string): Promise<{ access_status: number; access_stamp: string }[]> => {
    const all = await testEvent.all('access_controls.json')
    return all.filter(({ guest_uid }) => guest_uid === uid).reverse()
  }
  /**
   * Loses the answers of the server that have a field, and no others: a phone that a busy machine has lose the server for a while finds it again,
   * and asks. Returns whether one was lost.
   */
  const loseAnswers = (field: string): (() => boolean) => {
    let isLost = false
    proxy.watch((chunk) => {
      const isAnswer = chunk.includes(`"${field}"`)
      isLost ||= isAnswer
      return !isAnswer
    })
    return () => isLost
  }

  const statuses = async (uid: string): Promise<number[]> =>
    (await recorded(uid)).map(({ access_status }) => access_status)

  test('a code in the address makes a phone the device and is taken out of it; typed uids are answered by the server', async () => {
    await testEvent.guest(category, 'ada', { first_name: 'Ada', last_name: 'Lovelace' })
    const phone = await newPhone('typed')
    expect(phone.page.url()).toBe(app())
    await phone.scan('ada')
    await expect.poll(() => phone.shown()).toMatch(/^Welcome\s+Ada Lovelace\s+VIP$/)
    await expect.poll(() => phone.look()).toBe('granted')
    await phone.scan('ada')
    await expect.poll(() => phone.look()).toBe('too_many')
    await phone.scan('nobody')
    await expect.poll(() => phone.look()).toBe('unknown')
    await expect.poll(() => statuses('ada')).toEqual([0, 3])
  })

  test('the QR code of a guest, held before the camera, is green once', async () => {
    const { qrcode_url } = await testEvent.make('guests.json', { guest_category_id: category, last_name: 'Hopper' })
    await writeVideo(video, Buffer.from(await (await fetch(qrcode_url)).arrayBuffer()))
    const phone = await newPhone('camera')
    await phone.startCamera()
    await phone.next()
    await expect.poll(() => phone.look()).toBe('granted')
    await writeVideo(video)
    expect(await phone.page.locator('.outcome').getAttribute('data-number')).toBe('1')
    expect(await phone.hasLoadedDecoder()).toBe(true)
  })

  // About a second, of the camera.
  test(
    'where the browser reads QR codes itself, what it reads is scanned, and the decoder is not loaded',
    deep,
    async () => {
      await testEvent.guest(category, 'read-by-browser')
      const context = await newContext()
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
      const { code } = await newDevice('reads itself')
      const phone = await Phone.enrol(context, `${app()}#${code}`)
      await phone.startCamera()
      await phone.next()
      await expect.poll(() => phone.look()).toBe('granted')
      expect(await statuses('read-by-browser')).toEqual([0])
      expect(await phone.hasLoadedDecoder()).toBe(false)
    },
  )

  // The Chromium of the tests has no windows and finds every page installable, so this checks what one with windows asks for.
  test(
    'the app can be installed: Chromium understands its manifest, and its icons are as large as that says',
    deep,
    async () => {
      const context = await newContext()
      const page = await context.newPage()
      await page.goto(app())
      const session = await context.newCDPSession(page)
      const { url, errors, manifest } = await session.send('Page.getAppManifest')
      expect([url, errors]).toEqual([`${app()}app.webmanifest`, []])
      expect(manifest).toMatchObject({
        id: app(),
        name: expect.stringMatching(/./),
        startUrl: app(),
        scope: app(),
        display: 'kStandalone',
        preferRelatedApplications: false,
      })
      const sizes: string[] = []
      for (const icon of manifest.icons ?? []) {
        const shown = await page.evaluate<string>(`new Promise((resolve, reject) => {
        const image = new Image()
        image.onload = () => resolve(image.naturalWidth + 'x' + image.naturalHeight)
        image.onerror = () => reject(new Error('${icon.url}'))
        image.src = '${icon.url}'
      })`)
        // So Chromium gives `any`, the size of the picture that is drawn at each size.
        if (icon.sizes !== '0x0') expect(shown).toBe(icon.sizes)
        sizes.push(shown)
      }
      // Those that Chromium wants (https://web.dev/articles/add-manifest#icons).
      expect(sizes).toEqual(expect.arrayContaining(['192x192', '512x512']))
    },
  )

  test('a ciphered code is read by the server', deep, async () => {
    const { uid, qrcode_url } = await testEvent.make('guests.json', {
      guest_category_id: category,
      last_name: 'Enigma',
    })
    const cipher = (qr_code_ciphering_enabled: boolean) =>
      testEvent.system.api('PUT', `events/${testEvent.id}.json`, { qr_code_ciphering_enabled })
    onTestFinished(async () => void (await cipher(false)))
    await cipher(true)
    await writeVideo(video, Buffer.from(await (await fetch(qrcode_url)).arrayBuffer()))
    const phone = await newPhone('ciphered')
    await phone.startCamera()
    await phone.next()
    await expect.poll(() => phone.look()).toBe('granted')
    expect(await statuses(uid)).toEqual([0])
    await writeVideo(video)
  })

  // Some seconds, of the camera and of three contacts.
  test(
    'a ciphered code is read without a network where the organizer allows devices its key, which goes when that ends and when the device is revoked',
    deep,
    async () => {
      const allow = (fields: object) => testEvent.system.api('PUT', `events/${testEvent.id}.json`, fields)
      const allowed = { qr_code_ciphering_enabled: true, device_qr_code_key_enabled: true }
      onTestFinished(async () => void (await allow({ qr_code_ciphering_enabled: false })))
      await allow(allowed)
      const { uid, qrcode_url } = await testEvent.make('guests.json', {
        guest_category_id: category,
        last_name: 'Welchman',
      })
      const { _id, code } = await newDevice('has the key')
      const phone = await Phone.enrol(await newContext(), `${app()}#${code}`)
      await phone.knows()
      await phone.isInstalled()
      await phone.hasCodeKey()
      const ciphering = await clientOf(system.bus, events).ciphering({ body: { event_id: testEvent.id } })
      const [readable, { token }] = [await phone.readable(), await phone.kept()]
      for (const shown of [token, ciphering.iv]) expect(readable).toContain(shown)
      const key = Buffer.from(ciphering.key ?? '', 'base64')
      for (const hidden of [key.toString('hex'), key.toString('base64').replace('=', ''), key.toString('base64url')])
        expect(readable).not.toContain(hidden)
      proxy.cut()
      await phone.lost()
      await writeVideo(video, Buffer.from(await (await fetch(qrcode_url)).arrayBuffer()))
      await phone.startCamera()
      expect(await phone.next()).toContain('Welchman')
      expect(await phone.look()).toBe('unconfirmed')
      await writeVideo(video)
      await allow({ device_qr_code_key_enabled: false })
      expect((await phone.kept()).hasCodeKey).toBe(true)
      proxy.mend()
      await phone.found()
      await phone.sent()
      expect(await recorded(uid)).toMatchObject([{ access_status: 0, decided_offline: 0 }])
      await phone.hasCodeKey(false)

      proxy.cut()
      await phone.lost()
      await phone.scan('E:AAAA')
      expect(await phone.look()).toBe('undecided')
      await allow(allowed)
      proxy.mend()
      await phone.found()
      await phone.hasCodeKey()
      await testEvent.remove(`devices/${_id}.json`)
      await phone.found()
      await phone.page.getByRole('heading', { name: en.revoked_title }).waitFor()
      await expect.poll(() => phone.kept()).toMatchObject({ token: null, hasCodeKey: false })
    },
  )

  test('without a network the device decides, visibly unconfirmed; with it each scan is confirmed, at the time of the scan', async () => {
    await testEvent.guest(category, 'grace', { first_name: 'Grace' })
    const phone = await newPhone('offline')
    await phone.knows()
    proxy.cut()
    await phone.lost()
    const before = Date.now()
    expect(await phone.scan('grace')).toContain(en.unconfirmed)
    expect([await phone.look(), await phone.shown()]).toEqual(['unconfirmed', expect.stringContaining('Grace')])
    expect(await phone.scan('grace')).toContain(en.too_many)
    expect(await phone.shown()).toContain(en.refused_alone)
    expect(await phone.scan('nobody')).toContain(en.unknown)
    const after = Date.now()
    expect(await statuses('grace')).toEqual([])
    proxy.mend()
    await phone.sent()
    expect(await statuses('grace')).toEqual([0, 3])
    for (const { access_stamp } of await recorded('grace')) {
      expect(Date.parse(access_stamp)).toBeGreaterThanOrEqual(before - 1_000)
      expect(Date.parse(access_stamp)).toBeLessThanOrEqual(after + 1_000)
    }
    expect(await phone.page.getByRole('button', { name: /Conflicts/ }).count()).toBe(0)
    proxy.cut()
    await phone.lost()
    await testEvent.guest(category, 'later', { last_name: 'Hopper' })
    await phone.scan('later')
    expect(await phone.look()).toBe('unknown')
    proxy.mend()
    await phone.found()
    await expect.poll(() => phone.look()).toBe('granted')
    await expect.poll(() => phone.shown()).toContain('Hopper')
    await phone.page.getByRole('button', { name: 'Conflicts (1)' }).waitFor()
  })

  test(
    'a slow server is not waited for; its late answer is shown, and the scan is recorded once, with what the phone decided',
    deep,
    async () => {
      for (const uid of ['slow', 'slower']) await testEvent.guest(category, uid)
      const phone = await newPhone('slow')
      await phone.knows()
      proxy.freeze()
      await phone.scan('slow')
      expect(await phone.look()).toBe('unconfirmed')
      proxy.thaw()
      await expect.poll(() => phone.look()).toBe('granted')
      await phone.found()
      await phone.sent()
      expect(await recorded('slow')).toMatchObject([{ access_status: 0, decided_offline: 0 }])
      proxy.freeze()
      expect(await phone.scan('slower')).toContain(en.unconfirmed)
      await testEvent.scan(door, 'slower')
      proxy.thaw()
      await expect.poll(() => phone.look()).toBe('too_many')
      await phone.found()
      await phone.page.getByRole('button', { name: 'Conflicts (1)' }).waitFor()
      const [conflict] = await testEvent.read('access_controls.json?conflicts=true')
      expect(conflict).toMatchObject({ guest_uid: 'slower', access_status: 3, decided_offline: 0 })
    },
  )

  test('killed in the middle and opened again without a network, a scanner has lost nothing', async () => {
    await testEvent.guest(category, 'killed')
    const phone = await newPhone('killed')
    await phone.knows()
    await phone.isInstalled()
    proxy.cut()
    await phone.lost()
    await phone.scan('killed')
    await phone.crash()
    await phone.reopen(app())
    expect(await phone.link()).toContain(en.waiting.replace('{count}', '1'))
    expect(await phone.scan('killed')).toContain(en.too_many)
    proxy.mend()
    await phone.found()
    await phone.sent()
    expect(await statuses('killed')).toEqual([0, 3])
  })

  test(
    'killed after it has asked and before it was answered, a scanner asks again for the same scan: it is recorded once',
    deep,
    async () => {
      await testEvent.guest(category, 'asked')
      const phone = await newPhone('asked')
      await phone.isInstalled()
      const isLost = loseAnswers('access_status')
      await phone.scan('asked')
      await expect.poll(() => statuses('asked')).toEqual([0])
      await phone.crash()
      expect(isLost()).toBe(true)
      proxy.watch(() => true)
      await phone.reopen(app())
      await phone.sent()
      expect(await statuses('asked')).toEqual([0])
      expect(await phone.page.getByRole('button', { name: /Conflicts/ }).count()).toBe(0)
    },
  )

  test(
    'two scanners without a network let the same guest in: one of them says so afterwards, and so does the server',
    deep,
    async () => {
      await testEvent.guest(category, 'twice', { first_name: 'Tim' })
      const phones = await Promise.all(['north', 'south'].map((name) => newPhone(name)))
      await Promise.all(phones.map((phone) => phone.knows()))
      proxy.cut()
      await Promise.all(phones.map((phone) => phone.lost()))
      for (const phone of phones) expect(await phone.scan('twice')).toContain(en.unconfirmed)
      proxy.mend()
      await Promise.all(phones.map((phone) => phone.found()))
      await Promise.all(phones.map((phone) => phone.sent()))
      expect((await statuses('twice')).sort()).toEqual([0, 3])
      const conflicts = phones.map(({ page }) => page.getByRole('button', { name: 'Conflicts (1)' }))
      const counts = await Promise.all(conflicts.map((each) => each.count()))
      expect(counts.sort()).toEqual([0, 1])
      const found = await testEvent.read('access_controls.json?conflicts=true')
      expect(found.map(({ guest_uid }: { guest_uid: string }) => guest_uid)).toContain('twice')
      const shown = (await conflicts[0]?.count()) === 1 ? phones[0] : phones[1]
      await shown?.page.getByRole('button', { name: 'Conflicts (1)' }).click()
      const text = () => shown?.page.getByRole('listitem').innerText()
      await expect.poll(text).toMatch(/Already entered at Main entrance: .+\d$/)
      expect(await text()).toMatch(/^Tim[\s\S]+Let in here, but the server says: Already used\s/)
    },
  )

  test('a clock that is five hours late does not move a scan', deep, async () => {
    await testEvent.guest(category, 'late')
    const context = await newContext()
    await context.clock.setFixedTime(Date.now() - 5 * HOUR)
    const { code } = await newDevice('late')
    const phone = await Phone.enrol(context, `${app()}#${code}`)
    await phone.scan('late')
    await phone.sent()
    const [checkIn] = await recorded('late')
    expect(Math.abs(Date.parse(checkIn?.access_stamp ?? '') - Date.now())).toBeLessThan(60_000)
  })

  test('a full disk is said before any answer, and nothing is recorded', deep, async () => {
    await testEvent.guest(category, 'full')
    const context = await newContext()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: proxy.url, quotaSize: 2_000_000 })
    const { code } = await newDevice('full')
    const phone = await Phone.enrol(context, `${app()}#${code}`, page)
    await phone.fillDisk()
    expect(await phone.scan('full')).toContain(en.full)
    expect(await statuses('full')).toEqual([])
  })

  test(
    'a revoked device forgets the guest list and all scans that the server has judged; it gives the others as a file, also when it is another device',
    deep,
    async () => {
      for (const uid of ['kept', 'own']) await testEvent.guest(category, uid)
      const { _id, code } = await newDevice('revoked')
      const phone = await Phone.enrol(await newContext({ acceptDownloads: true, hasTouch: true }), `${app()}#${code}`)
      await phone.knows()
      proxy.cut()
      await phone.lost()
      await phone.scan('judged')
      await testEvent.guest(category, 'judged')
      proxy.mend()
      await phone.found()
      await phone.page.getByRole('button', { name: 'Conflicts (1)' }).waitFor()
      proxy.cut()
      await phone.lost()
      await phone.scan('kept')
      const { page } = phone
      await page.getByRole('button', { name: SIGN }).click()
      const drawn = await phone.drawWithFinger([10, 10], [50, 40], [90, 40])
      await page.getByRole('button', { name: en.sign_done }).click()
      await page.getByText(en.signed).waitFor()
      await testEvent.remove(`devices/${_id}.json`)
      proxy.mend()
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
      await page.getByLabel(en.code).fill((await newDevice('next')).code)
      await page.getByRole('button', { name: en.enrol }).click()
      await page.locator('.outcome').waitFor()
      await phone.knows()
      expect(await page.getByRole('button', { name: /Conflicts/ }).count()).toBe(0)
      proxy.cut()
      await phone.lost()
      await page.getByLabel(en.type_code).fill('own')
      await page.keyboard.press('Enter')
      await expect.poll(() => phone.link()).toContain(en.waiting.replace('{count}', '1'))
      expect(await saved(en.save_scans)).toEqual(body)
      expect(body.access_controls.map(({ guest_uid }: { guest_uid: string }) => guest_uid)).toEqual(['kept'])
      proxy.mend()
      for (const [path, sent] of [
        ['access_controls', body],
        ['signatures', signed],
      ]) {
        const answer = await testEvent.api('POST', `${path}/batch_create.json`, sent)
        expect([answer.status, answer.body[0].guest_uid, answer.body[0].access_status ?? 0]).toEqual([201, 'kept', 0])
      }
    },
  )

  test(
    'the code of another device is taken when the steward says so; one that is bound elsewhere asks where it scans',
    deep,
    async () => {
      const back = await testEvent.point('Side door')
      const [first, second] = await Promise.all(['first', 'second'].map((name) => newDevice(name)))
      const phone = await Phone.enrol(await newContext(), `${app()}#${first.code}`)
      const { token } = await phone.kept()
      const { page } = phone
      await page.goto(`${app()}#${second.code}`)
      await page.getByRole('button', { name: en.back }).click()
      await phone.ready()
      expect([page.url(), (await phone.kept()).token]).toEqual([app(), token])
      await page.goto(`${app()}#${second.code}`)
      await page.getByRole('button', { name: en.enrol, exact: true }).click()
      await phone.ready()
      expect((await phone.kept()).token).not.toBe(token)
      await testEvent.change(`devices/${second._id}.json`, { accesspoint_ids: [back] })
      await phone.found()
      await page.getByRole('heading', { name: 'Side door' }).waitFor()
    },
  )

  test(
    'a guest without a code is found by name, and a reader that types needs neither a field nor the layout of its host',
    deep,
    async () => {
      await testEvent.guest(category, 'mary', { first_name: 'Mary', last_name: 'Somerville' })
      await testEvent.guest(category, 'typed-by-scanner')
      const { page, ...phone } = await newPhone('by name')
      void phone
      await page.getByRole('button', { name: en.find }).click()
      await page.getByLabel(en.search).fill('somer')
      await page.getByRole('button', { name: 'Mary Somerville VIP · …mary' }).click()
      await page.getByRole('button', { name: en.check_in }).click()
      await page.locator('.outcome.granted').waitFor()
      await page.locator('body').click({ position: { x: 5, y: 5 } })
      await page.keyboard.type('typed-by-scanner\n')
      await page.locator('.outcome.granted[data-number="2"]').waitFor()
      expect(await statuses('typed-by-scanner')).toEqual([0])
      await testEvent.guest(category, 'mq')
      // A reader set to US types MECARD:UID:mq;; on a French host, without a suffix, on the page and into a field, which then is empty.
      const typeOnFrenchHost = (selector: string) =>
        page.evaluate(`(${TYPE_ON_FRENCH_HOST})(document.querySelector('${selector}'))`)
      await typeOnFrenchHost('body')
      await page.locator('.outcome.granted[data-number="3"]').waitFor()
      await page.getByRole('button', { name: en.find }).click()
      expect(await typeOnFrenchHost('#words')).toBe('')
      await page.locator('.outcome[data-number="4"]').waitFor()
      expect(await statuses('mq')).toEqual([0, 3])
    },
  )

  test(
    'a guest who was let in signs with a mouse, a finger or a pen, with a network and without: what is stored is what was drawn, once',
    deep,
    async () => {
      await testEvent.guest(category, 'signs')
      await testEvent.guest(category, 'signs-alone')
      const phone = await newPhone('signs', { hasTouch: true })
      const { page } = phone
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const stored = async (uid: string) =>
        (await testEvent.all('signatures.json')).filter(({ guest_uid }) => guest_uid === uid)
      await phone.knows()
      await phone.isInstalled()
      proxy.cut()
      await phone.lost()
      await phone.scan('signs-alone')
      await button(signOf('signs-alone')).click()
      await phone.draw([10, 10], [20, 10])
      await button(en.sign_clear).click()
      expect(await button(en.sign_done).isDisabled()).toBe(true)
      const strokes = [
        await phone.draw([50, 20], [80, 60], [120, 40]),
        await phone.drawWithFinger([60, 20], [90, 60], [130, 40]),
        await phone.drawWithPen([70, 20], [100, 60], [140, 40]),
      ]
      const alone = { ...strokes[0], lines: strokes.flatMap(({ lines }) => lines) }
      await button(en.sign_done).click()
      await page.getByText(en.signed).waitFor()
      expect(await phone.link()).toContain(en.waiting.replace('{count}', '2'))
      proxy.mend()
      await phone.found()
      await phone.sent()
      expect((await stored('signs-alone')).map((each) => [each.points, each.accesspoint_id])).toEqual([[alone, door]])
      await phone.scan('signs')
      await button(signOf('signs')).click()
      await page.keyboard.press('Escape')
      await button(signOf('signs')).click()
      const drawn = await phone.draw([30, 30], [60, 60])
      // The server gets it, but its answer is lost.
      const isLost = loseAnswers('points')
      await button(en.sign_done).click()
      await expect.poll(async () => (await stored('signs')).length).toBe(1)
      await phone.crash()
      expect(isLost()).toBe(true)
      proxy.watch(() => true)
      await phone.reopen(app())
      await phone.sent()
      expect((await stored('signs')).map(({ points }) => points)).toEqual([drawn])
    },
  )

  test('on the smallest phone a result lies within what is visible, however far the page is scrolled or zoomed, and is read from afar', async () => {
    await testEvent.guest(category, 'small', { first_name: 'Ada', last_name: 'Lovelace', message: 'Step-free access' })
    const small = { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true }
    const phone = await newPhone('small', small)
    const { page } = phone
    /** The sheet's distances from the edges of the visible part of the page, and the sizes of its texts, in pixels. */
    const measured = (): Promise<{ top: number; left: number; below: number; right: number; sizes: number[] }> =>
      page.evaluate(`(() => {
        const { top, left, right, bottom } = document.querySelector('.sheet').getBoundingClientRect()
        const { offsetTop, offsetLeft, width, height } = visualViewport
        const sizeOf = (what) => parseFloat(getComputedStyle(document.querySelector('.sheet ' + what)).fontSize)
        return {
          top: Math.round(Math.abs(top - offsetTop)),
          left: Math.round(Math.abs(left - offsetLeft)),
          below: Math.round(offsetTop + height - bottom),
          right: Math.round(Math.abs(offsetLeft + width - right)),
          sizes: ['.note', '.who strong', 'h2'].map(sizeOf),
        }
      })()`)
    await phone.scan('small')
    await expect.poll(() => phone.shown()).toContain('Step-free access')
    await page.evaluate(`document.body.style.minHeight = '3000px'; scrollTo(0, 2000)`)
    const { top, left, below, right, sizes } = await measured()
    expect([top, left, right]).toEqual([0, 0, 0])
    expect(below).toBeGreaterThanOrEqual(0)
    const [note = 0, name = 0, word = 0] = sizes
    expect(name).toBeGreaterThanOrEqual(32)
    expect(note).toBeGreaterThan(Math.max(name, word))
    const session = await phone.context.newCDPSession(page)
    await session.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 })
    await expect.poll(async () => (await measured()).right).toBe(0)
    expect(await measured()).toMatchObject({ top: 0, left: 0 })
    expect((await measured()).below).toBeGreaterThanOrEqual(0)
  })

  test('a refusal covers no field, and leaves while the next code is typed; Escape leaves each view', async () => {
    const phone = await newPhone('below', { viewport: { width: 320, height: 568 } })
    const { page } = phone
    await phone.scan('nobody-below')
    await expect.poll(() => phone.look()).toBe('unknown')
    const field = page.getByLabel(en.type_code)
    const edges = async () => {
      const [sheet, below] = await Promise.all([page.locator('.sheet').boundingBox(), field.boundingBox()])
      return (below?.y ?? 0) - ((sheet?.y ?? 0) + (sheet?.height ?? Number.POSITIVE_INFINITY))
    }
    await page.evaluate('scrollTo(0, 0)')
    await expect.poll(edges).toBeGreaterThanOrEqual(0)
    await field.press('x')
    await page.locator('.sheet').waitFor({ state: 'detached' })
    for (const view of [en.recent, en.find, en.settings, en.guide]) {
      await page.getByRole('button', { name: view }).click()
      await page.getByRole('heading', { name: view }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: view }).waitFor()
    }
  })

  test('a granted result leaves by itself, a refusal at a tap; the list of the last scans says how old they are', async () => {
    await testEvent.guest(category, 'leaves', { last_name: 'Noether' })
    const phone = await newPhone('leaves')
    const { page } = phone
    const { clock } = phone.context
    const sheet = page.locator('.sheet')
    await page.getByRole('button', { name: en.settings }).click()
    await page.getByLabel(en.setting_seconds).selectOption('5')
    await page.getByRole('button', { name: en.back }).click()
    await clock.install()
    await phone.scan('leaves')
    await expect.poll(() => phone.shown()).toContain('Noether')
    await clock.fastForward(5_500)
    await sheet.waitFor({ state: 'detached' })
    await phone.scan('leaves')
    await expect.poll(() => phone.look()).toBe('too_many')
    await phone.sent()
    // A heartbeat would teach the phone the server's time, which goes on as ever.
    proxy.cut()
    await phone.lost()
    await clock.fastForward(120_000)
    await expect.poll(() => phone.shown()).toMatch(/2\s?min/)
    await page.locator('.outcome').click()
    await sheet.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: en.recent }).click()
    const items = () => page.getByRole('listitem').allInnerTexts()
    await expect
      .poll(items)
      .toEqual([
        expect.stringMatching(/Noether\s+2\s?min · Already used/),
        expect.stringMatching(/Noether\s+2\s?min · Welcome/),
      ])
    await clock.fastForward(60_000)
    await expect.poll(items).toContainEqual(expect.stringMatching(/3\s?min/))
  })

  test('an entry is undone at a tap, with a network and without: what was sent is deleted, what was not is withdrawn', async () => {
    for (const uid of ['undone', 'unsent', 'undone-later']) await testEvent.guest(category, uid)
    const phone = await newPhone('undoes')
    const { page } = phone
    await phone.knows()
    // A list that is asked for while a scan is answered may count it or not, so that a phone takes it for counted until it asks again.
    await page.route('**/snapshot.json*', (route) => route.abort())
    const undo = page.getByRole('button', { name: en.undo, exact: true })
    const close = page.getByRole('button', { name: en.close })
    await phone.scan('undone')
    await expect.poll(() => phone.look()).toBe('granted')
    await undo.click()
    await page.getByText(en.undone.replace('{name}', 'undone')).waitFor()
    await expect.poll(() => statuses('undone')).toEqual([])
    await phone.scan('undone')
    await expect.poll(() => phone.look()).toBe('granted')
    await phone.scan('undone-later')
    await expect.poll(() => phone.look()).toBe('granted')
    await close.click()
    proxy.cut()
    await phone.lost()
    await phone.scan('unsent')
    expect(await phone.look()).toBe('unconfirmed')
    await undo.click()
    await page.getByText(en.undone.replace('{name}', 'unsent')).waitFor()
    expect(await phone.link()).toBe(en.offline)
    await page.getByRole('button', { name: en.recent }).click()
    await page.getByRole('listitem').filter({ hasText: 'undone-later' }).getByRole('button').click()
    await page.getByText(en.undo_waiting.replace('{name}', 'undone-later')).waitFor()
    await page.getByRole('button', { name: en.back }).click()
    expect(await phone.link()).toContain(en.waiting.replace('{count}', '1'))
    expect(await statuses('undone-later')).toEqual([0])
    // The guest may enter again by what this device knows.
    await phone.scan('undone-later')
    expect(await phone.look()).toBe('unconfirmed')
    await close.click()
    proxy.mend()
    await phone.found()
    await phone.sent()
    expect(await statuses('unsent')).toEqual([])
    expect(await recorded('undone-later')).toEqual([expect.objectContaining({ access_status: 0, decided_offline: 0 })])
  })

  test('a guest on no list is added by name, with a network and without; closed or without an answer, the phone adds nobody twice', async () => {
    const walkIns = await testEvent
      .make('guest_categories.json', { name: 'Walk-ins', walk_in_enabled: true })
      .then(idOf)
    const gate = await testEvent.point('Gate')
    await testEvent.link(walkIns, gate, 1)
    const { code } = await newDevice('adds', [gate])
    const phone = await Phone.enrol(await newContext(), `${app()}#${code}`)
    const button = (name: string) => phone.page.getByRole('button', { name, exact: true })
    const add = async (name: string, persons = 1): Promise<string> => {
      await button(en.walk_in).click()
      await phone.page.getByLabel(en.walk_in_name).fill(name)
      for (let n = 1; n < persons; n++) await button(en.walk_in_more).click()
      await button(en.check_in).click()
      return phone.next()
    }
    const added = async (name: string) => {
      const guests: { uid: string; party_size: number }[] = await testEvent.read(`guests.json?search=${name}`)
      return Promise.all(guests.map(async ({ uid, party_size }) => [party_size, await statuses(uid)]))
    }
    await add('Walker')
    await expect.poll(() => phone.look()).toBe('granted')
    // Nobody is asked to sign at a point where that is not wanted.
    expect(await phone.page.getByRole('button', { name: SIGN }).count()).toBe(0)
    expect(await added('Walker')).toEqual([[1, [0]]])
    await phone.isInstalled()
    proxy.cut()
    await phone.lost()
    expect(await add('Strider', 3)).toContain('Strider')
    expect(await phone.look()).toBe('unconfirmed')
    await phone.crash()
    await phone.reopen(app())
    expect(await phone.link()).toContain(en.waiting.replace('{count}', '1'))
    proxy.mend()
    const isLost = loseAnswers('access_control')
    await phone.found()
    await expect.poll(isLost).toBe(true)
    proxy.watch(() => true)
    await phone.sent()
    expect(await added('Strider')).toEqual([[3, [0]]])
  })

  test('of a party the phone asks how many come in, with a network and without, and offers those who are left', async () => {
    for (const uid of ['party', 'guests']) await testEvent.guest(category, uid, { last_name: uid, party_size: 4 })
    const phone = await newPhone('parties', { viewport: { width: 320, height: 568 } })
    const { page } = phone
    const persons = async (uid: string) =>
      (await testEvent.all('access_controls.json'))
        .filter(({ guest_uid, access_status }) => guest_uid === uid && access_status === 0)
        .map(({ persons }) => persons)
    const letIn = (count: number) => page.getByRole('button', { name: en.let_in.replace('{persons}', String(count)) })
    await phone.knows()
    expect(await phone.scan('party')).toMatch(/How many now\?\s+party\s+VIP\s+Party of 4\s+4 more may enter/)
    expect(await phone.look()).toBe('party')
    await page.getByRole('button', { name: en.fewer }).click()
    const { y = 0, height = 0 } = (await letIn(3).boundingBox()) ?? {}
    expect(y + height, 'within the reach of a thumb').toBeGreaterThan(568 - 100)
    await letIn(3).click()
    await phone.next()
    await expect.poll(() => phone.look()).toBe('granted')
    await expect.poll(() => phone.shown()).toContain('1 more may enter')
    expect(await persons('party')).toEqual([3])
    await testEvent.scan(door, 'guests')
    await phone.scan('guests')
    await letIn(4).click()
    await phone.next()
    await expect.poll(() => phone.look()).toBe('too_many')
    await letIn(3).click()
    await phone.next()
    await expect.poll(() => phone.look()).toBe('granted')
    expect((await persons('guests')).toSorted()).toEqual([1, 3])
    await testEvent.guest(category, 'unlisted', { party_size: 2 })
    await phone.page.getByRole('button', { name: en.close }).click()
    proxy.cut()
    await phone.lost()
    await phone.scan('party')
    // One is left: there is nothing to ask.
    await expect.poll(() => phone.look()).toBe('unconfirmed')
    proxy.mend()
    await phone.found()
    await phone.sent()
    expect((await persons('party')).toSorted()).toEqual([1, 3])
  })

  test('of many check-in points the steward finds one by a part of its name, without accents', async () => {
    const points = await Promise.all(Array.from({ length: 9 }, (_, number) => testEvent.point(`Entrée ${number}`)))
    const { code } = await newDevice('many', points)
    const page = await (await newContext()).newPage()
    await page.goto(`${app()}#${code}`)
    await page.getByLabel(en.point_find).fill('entree 7')
    await expect.poll(() => page.getByRole('button').allTextContents()).toEqual(['Entrée 7'])
    await page.getByRole('button', { name: 'Entrée 7' }).click()
    await page.getByRole('heading', { name: /^Entrée 7/ }).waitFor()
  })

  test('at an area the phone says how full it is, warns when it is full, and switches between in and out', async () => {
    const { _id: area_id } = await testEvent.make('areas.json', { name: 'Lounge', capacity: 2 })
    const point = (name: string, direction: string) =>
      testEvent.make('accesspoints.json', { name, direction, area_id }).then(idOf)
    const [entrance, exit] = [await point('Lounge in', 'in'), await point('Lounge out', 'out')]
    await testEvent.link(category, entrance, 1, { reentry: true })
    for (const uid of ['first', 'second']) await testEvent.guest(category, uid)
    const { code } = await newDevice('lounge', [entrance, exit])
    const phone = await Phone.enrol(await newContext(), `${app()}#${code}`, undefined, 'Lounge in')
    const { page } = phone
    const says = (count: number) =>
      page.getByText(`Lounge: ${en.inside_of.replace('{count}', String(count)).replace('{capacity}', '2')}`).waitFor()
    await phone.knows()
    await phone.scan('first')
    await expect.poll(() => phone.look()).toBe('granted')
    await says(1)
    await phone.scan('second')
    await expect.poll(() => phone.shown()).toContain(en.area_full)
    const { height = 0 } = (await page.locator('.sheet').boundingBox()) ?? {}
    expect(height, 'over the whole screen').toBe(viewport.height)
    await page.getByRole('button', { name: en.close }).click()
    await says(2)
    await phone.scan('first')
    await expect.poll(() => phone.look()).toBe('too_many')
    await page.getByRole('button', { name: en.close }).click()
    const change = async (name: string) => {
      await page.getByRole('button', { name: en.switch_to.replace('{point}', name) }).click()
      await page.getByRole('heading', { name }).waitFor()
    }
    await change('Lounge out')
    await phone.scan('first')
    await expect.poll(() => phone.shown()).toContain(en.goes_out)
    await says(1)
    await page.getByRole('button', { name: en.close }).click()
    await change('Lounge in')
    proxy.cut()
    await phone.lost()
    await phone.scan('first')
    expect(await phone.look(), 'by its snapshot and its own scans').toBe('unconfirmed')
    await page.getByRole('button', { name: en.close }).click()
    await change('Lounge out')
    await phone.scan('second')
    expect(await phone.shown()).toContain(en.goes_out)
    proxy.mend()
    await phone.found()
    await phone.sent()
    expect(await statuses('first')).toEqual([0, 3, 0, 0])
    expect((await testEvent.read(`areas/${area_id}.json`)).inside_count).toBe(1)
  })

  test('a full area is warned of too where its count is later than the answer', async () => {
    const { _id: area_id } = await testEvent.make('areas.json', { name: 'Cellar', capacity: 1 })
    const { _id: cellar } = await testEvent.make('accesspoints.json', { name: 'Cellar', area_id })
    await testEvent.link(category, cellar, 1)
    await testEvent.guest(category, 'fills')
    const context = await newContext({ serviceWorkers: 'block' })
    const { code } = await newDevice('cellar', [cellar])
    const phone = await Phone.enrol(context, `${app()}#${code}`)
    await phone.knows()
    await context.route('**/access_controls.json*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), area_full: false } })
    })
    await phone.scan('fills')
    await expect.poll(() => phone.shown()).toContain(en.area_full)
  })

  test('at each check-in point the phone says how many persons are still to come, and without a network how many were last', async () => {
    const late = await testEvent.make('guest_categories.json', { name: 'Late' }).then(idOf)
    const gate = await testEvent.point('Gate')
    const link = await testEvent.link(late, gate, 1)
    const guests = await Promise.all(
      ['late-1', 'late-2', 'late-3'].map((uid, index) => testEvent.guest(late, uid, { party_size: index + 1 })),
    )
    const { code } = await newDevice('to come', [gate])
    const phone = await Phone.enrol(await newContext(), `${app()}#${code}`)
    const says = async (count: number) => {
      const shown = async () => {
        await phone.found()
        return phone.page.locator('.to-come').innerText()
      }
      await expect.poll(shown).toBe(en.to_come.replace('{count}', String(count)))
    }
    await says(6)
    await phone.scan('late-1')
    await says(5)
    await phone.page.getByRole('button', { name: en.undo }).click()
    await says(6)
    await testEvent.change(`guests/${guests[1]}.json`, { party_size: 5 })
    await says(9)
    await testEvent.remove(`guests/${guests[2]}.json`)
    await says(6)
    proxy.cut()
    await phone.lost()
    expect(await phone.page.locator('.to-come').innerText()).toContain('6')
    proxy.mend()
    await testEvent.remove(`guest_category_accesspoints/${link}.json`)
    await phone.found()
    await expect.poll(() => phone.page.locator('.to-come').count()).toBe(0)
  })

  test('a press on Undo that ends after the next result has come undoes neither', async () => {
    for (const uid of ['pressed', 'after-press']) await testEvent.guest(category, uid)
    const phone = await newPhone('presses')
    const { page } = phone
    const undo = page.getByRole('button', { name: en.undo, exact: true })
    await phone.scan('pressed')
    await expect.poll(() => phone.look()).toBe('granted')
    await undo.hover()
    await page.mouse.down()
    await phone.scan('after-press')
    await expect.poll(() => phone.look()).toBe('granted')
    await page.mouse.up()
    await undo.click()
    await page.getByText(en.undone.replace('{name}', 'after-press')).waitFor()
    expect(await statuses('pressed')).toEqual([0])
  })

  test('what the server refuses to undo is said in its words', deep, async () => {
    await testEvent.guest(category, 'stays')
    const context = await newContext({ serviceWorkers: 'block' })
    const { code } = await newDevice('cannot undo')
    const phone = await Phone.enrol(context, `${app()}#${code}`)
    const { page } = phone
    await phone.scan('stays')
    await expect.poll(() => phone.look()).toBe('granted')
    const words = 'At the door a check-in can only be undone within 15 minutes'
    await page.route('**/access_controls/*.json', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 403, json: { error: words } }) : route.continue(),
    )
    await page.getByRole('button', { name: en.undo, exact: true }).click()
    await page.getByText(words).waitFor()
    expect(await statuses('stays')).toEqual([0])
  })

  test('without a network a guest is found in the list on the phone and checked in, once the server answers by the uid', async () => {
    const namesakes = { first_name: 'Emmy', last_name: 'Noether-Listed' }
    for (const uid of ['listed-1', 'listed-2']) await testEvent.guest(category, uid, namesakes)
    const lounge = await testEvent
      .make('guest_categories.json', { name: 'Lounge', device_names_enabled: true })
      .then(idOf)
    await testEvent.link(lounge, door, 1)
    await testEvent.guest(lounge, 'listed-3', namesakes)
    const phone = await newPhone('lists')
    const { page } = phone
    await phone.knows()
    proxy.cut()
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
    proxy.mend()
    await phone.found()
    await phone.sent()
    expect(await statuses('listed-3')).toEqual([0, 3, 3])
    expect(await statuses('listed-1')).toEqual([])
  })

  test('the steward lights, zooms, mutes and enlarges; what is set stays', async () => {
    const context = await newContext()
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
    const { code } = await newDevice('comfort')
    const phone = await Phone.enrol(context, `${app()}#${code}`)
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

  test('the note and the fields on devices are shown with each answer, granted or refused, with a network and without, and are not stored', async () => {
    await testEvent.make('guest_fields.json', { key: 'seat', label: 'Seat', on_device: true })
    const details = { company_name: 'Initech-Noted', position: 'Engineer', message: 'Meet at desk four' }
    const guest_metadata = [{ name: 'seat', value: 'Row seven' }]
    for (const uid of ['noted-1', 'noted-2'])
      await testEvent.guest(category, uid, { first_name: 'Emmy', last_name: 'Noted', ...details, guest_metadata })
    const phone = await newPhone('notes')
    const { page } = phone
    await phone.knows()
    const showsAll = async (look: string): Promise<void> => {
      await expect.poll(() => phone.look()).toBe(look)
      for (const shown of ['Meet at desk four', 'Seat', 'Row seven'])
        await expect.poll(() => phone.shown()).toContain(shown)
    }
    await phone.scan('noted-1')
    await showsAll('granted')
    await phone.scan('noted-1')
    await showsAll('too_many')
    await page.getByRole('button', { name: en.close }).click()
    proxy.cut()
    await phone.lost()
    await page.getByRole('button', { name: en.find }).click()
    await page.getByLabel(en.search).fill('initech-noted engineer')
    const found = page.getByRole('button', { name: 'Emmy Noted' })
    await expect.poll(() => found.count()).toBe(2)
    const [entered] = en.entered_at.split('{time}')
    const texts = await found.allInnerTexts()
    expect(texts.every((text) => text.includes('Initech-Noted · Engineer · VIP'))).toBe(true)
    expect(texts.filter((text) => text.includes(`VIP · ${entered}`))).toHaveLength(1)
    await found.filter({ hasNotText: `VIP · ${entered}` }).click()
    for (const shown of ['Meet at desk four', 'Row seven']) await page.getByText(shown).waitFor()
    await page.getByRole('button', { name: en.check_in }).click()
    await phone.next()
    await showsAll('unconfirmed')
    await phone.scan('noted-2')
    await showsAll('too_many')
    const stored = await phone.readable()
    for (const hidden of ['Meet at desk four', 'Row seven']) expect(stored).not.toContain(hidden)
  })

  test('where the steward turns it off there is no search', deep, async () => {
    const { page } = await newPhone('no search')
    const find = page.getByRole('button', { name: en.find })
    await find.waitFor()
    await page.getByRole('button', { name: en.settings }).click()
    await page.getByLabel(en.setting_search).uncheck()
    await page.getByRole('button', { name: en.back }).click()
    expect(await find.count()).toBe(0)
    await page.reload()
    await page.locator('.outcome').waitFor()
    expect(await find.count()).toBe(0)
  })

  test('where there is no picture the app says why, and what to do', deep, async () => {
    const { page, ...phone } = await newPhone('without a picture')
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

  test('from another machine without https the app says what it needs', deep, async () => {
    const page = await (await newContext()).newPage()
    await page.goto(app().replace('127.0.0.1', ELSEWHERE))
    await page.getByText(en.insecure).waitFor()
  })

  test('axe finds nothing on any view, and nothing is wider than a phone', deep, async () => {
    // axe is a script, so this test lifts the policy.
    const context = await newContext({ bypassCSP: true })
    const check = async (name: string) => {
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
      expect([name, violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])]).toEqual([name, []])
      expect([name, await overflowing(page)]).toEqual([name, []])
    }
    const page = await context.newPage()
    await page.goto(app())
    await page.getByRole('heading', { name: en.enrol_title }).waitFor()
    await check('enrol')
    await page.getByLabel(en.code).fill('BBBB-BBBB')
    await page.getByRole('button', { name: en.enrol }).click()
    await page.getByText(en.enrol_wrong).waitFor()
    await check('wrong code')
    const backDoor = await testEvent
      .make('accesspoints.json', { name: 'Back door', signature_enabled: true })
      .then(idOf)
    const { code } = await newDevice('axe', [door, backDoor])
    await page.getByLabel(en.code).fill(code.toLowerCase())
    await page.getByRole('button', { name: en.enrol }).click()
    await page.getByRole('button', { name: 'Back door' }).waitFor()
    await check('points')
    await page.getByRole('button', { name: 'Back door' }).click()
    await page.getByRole('heading', { name: en.ready }).waitFor()
    await check('ready')
    await page.getByLabel(en.type_code).fill('x'.repeat(100))
    await page.keyboard.press('Enter')
    await page.locator('.outcome.unknown').waitFor()
    await check('unknown')
    await testEvent.link(category, backDoor, 1)
    await testEvent.guest(category, 'axe')
    await page.getByLabel(en.type_code).fill('axe')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: SIGN }).click()
    await page.locator('.pad').waitFor()
    await check('signature')
    await page.getByRole('button', { name: en.sign_cancel }).click()
    for (const [button, view] of [
      [en.recent, 'recent'],
      [en.settings, 'settings'],
      [en.guide, 'guide'],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('heading', { name: button, exact: true }).waitFor()
      if (view === 'guide') await page.getByText(guide.scanning_text).waitFor()
      await check(view)
      await page.getByRole('button', { name: en.back }).click()
    }
    await page.getByRole('button', { name: en.find }).click()
    await page.getByLabel(en.search).fill('nobody has this name')
    await page.getByText(en.search_none).waitFor()
    await check('search')
  })

  test('nothing is wider than a phone in any language', deep, async () => {
    for (const locale of sampled<Language>(tags, 10)) {
      const context = await newContext({ locale })
      const { code } = await newDevice(locale)
      const page = await context.newPage()
      await page.goto(app())
      await page.locator('#code').waitFor()
      expect([locale, await overflowing(page)]).toEqual([locale, []])
      await page.goto(`${app()}?again#${code}`)
      await page.locator('.outcome').waitFor()
      expect([await page.locator('html').getAttribute('lang'), await overflowing(page)]).toEqual([locale, []])
      await page.locator('footer button').last().click()
      await page.locator('.guide .badge').first().waitFor()
      expect([locale, await overflowing(page)]).toEqual([locale, []])
    }
  })

  test.runIf(process.env.SCREENSHOTS)('the picture in docs/scanner.md: SCREENSHOTS keeps it', async () => {
    const names = [
      ['Ada', 'Lovelace'],
      ['Charles', 'Babbage'],
      ['Mary', 'Somerville'],
    ] as const
    for (const [first_name, last_name] of names)
      await testEvent.guest(category, `picture-${last_name}`, { first_name, last_name })
    const { qrcode_url } = await testEvent.make('guests.json', {
      guest_category_id: category,
      first_name: 'Grace',
      last_name: 'Hopper',
    })
    await writeVideo(video, Buffer.from(await (await fetch(qrcode_url)).arrayBuffer()))
    const phone = await newPhone('picture')
    await phone.startCamera()
    await phone.next()
    await expect.poll(() => phone.shown()).toContain('Grace Hopper')
    await phone.knows()
    const pictures = [await phone.page.screenshot()]
    await phone.scan('picture-Lovelace')
    await phone.scan('picture-Lovelace')
    await expect.poll(() => phone.shown()).toContain('Ada')
    pictures.push(await phone.page.screenshot())
    proxy.cut()
    await phone.lost()
    await phone.scan('picture-Babbage')
    pictures.push(await phone.page.screenshot())
    await savePicture(phone.page, 'scanner', pictures)
    await writeVideo(video)
  })

  test.runIf(process.env.SCREENSHOTS)('the second picture in docs/scanner.md: SCREENSHOTS keeps it', async () => {
    const { _id: area_id } = await testEvent.make('areas.json', { name: 'Gallery', capacity: 250 })
    const point = (name: string, direction: string) =>
      testEvent.make('accesspoints.json', { name, direction, area_id }).then(idOf)
    const points = [await point('Gallery', 'in'), await point('Gallery exit', 'out')]
    const visitors = await testEvent
      .make('guest_categories.json', { name: 'Press', walk_in_enabled: true, device_names_enabled: true })
      .then(idOf)
    await testEvent.link(visitors, points[0] ?? '', 1)
    const guest = (uid: string, first_name: string, last_name: string, fields: object) =>
      testEvent.guest(visitors, uid, { first_name, last_name, ...fields })
    await guest('9f3k20xa', 'Marie', 'Curie', { party_size: 4, company_name: 'Le Radical' })
    await guest('9f3k77bq', 'Irène', 'Curie', { company_name: 'L’Œuvre' })
    await testEvent.scan(points[0] ?? '', '9f3k77bq')
    const { code } = await newDevice('second picture', points)
    const phone = await Phone.enrol(await newContext(), `${app()}#${code}`, undefined, /^Gallery$/)
    const { page } = phone
    await phone.knows()
    await phone.scan('9f3k20xa')
    await expect.poll(() => phone.look()).toBe('party')
    const pictures = [await page.screenshot()]
    await page.getByRole('button', { name: en.close }).click()
    await page.getByRole('button', { name: en.find }).click()
    await page.getByLabel(en.search).fill('curie')
    await page.getByRole('button', { name: /Irène/ }).waitFor()
    pictures.push(await page.screenshot())
    await page.getByLabel(en.search).fill('')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: en.walk_in }).click()
    await page.getByLabel(en.walk_in_name).fill('Lise Meitner')
    pictures.push(await page.screenshot())
    await savePicture(page, 'scanner-tasks', pictures)
  })
})

/** Keeps screenshots beside each other in the folder that SCREENSHOTS names. */
async function savePicture(page: Page, name: string, pictures: readonly Buffer[]): Promise<void> {
  await page.goto('about:blank')
  await page.setViewportSize({ width: 3 * viewport.width + 64, height: viewport.height + 32 })
  const shown = pictures.map((each) => `<img src="data:image/png;base64,${each.toString('base64')}">`)
  await page.setContent(`<body style="display:flex;gap:16px;margin:16px;background:#9ca3af">${shown.join('')}</body>`)
  await page.screenshot({ path: join(process.env.SCREENSHOTS ?? '', `${name}.png`) })
}

function idOf({ _id }: { _id: string }): string {
  return _id
}
