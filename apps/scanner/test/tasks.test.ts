// @module-tag slow
import { deep } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { Phone, SIGN } from './phone.ts'
import { idOf, STEWARDS, usePhones } from './phones.ts'

const signOf = (name: string): string => en.sign.replace('{name}', name)

describe("a steward's tasks", () => {
  const phones = usePhones(STEWARDS)

  test(
    'a guest who was let in signs with a mouse, a finger or a pen, with a network and without: what is stored is what was drawn, once',
    deep,
    async () => {
      await phones.event.guest(phones.category, 'signs')
      await phones.event.guest(phones.category, 'signs-alone')
      const phone = await phones.newPhone('signs', { hasTouch: true })
      const { page } = phone
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const stored = async (uid: string) =>
        (await phones.event.all('signatures.json')).filter(({ guest_uid }) => guest_uid === uid)
      await phone.knows()
      await phone.isInstalled()
      phones.proxy.cut()
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
      await expect.poll(() => phone.link()).toContain(en.waiting.replace('{count}', '2'))
      phones.proxy.mend()
      await phone.found()
      await phone.sent()
      expect((await stored('signs-alone')).map((each) => [each.points, each.accesspoint_id])).toEqual([
        [alone, phones.door],
      ])
      await phone.scan('signs')
      await button(signOf('signs')).click()
      await page.keyboard.press('Escape')
      await button(signOf('signs')).click()
      const drawn = await phone.draw([30, 30], [60, 60])
      // The server gets it, but its answer is lost.
      const isLost = phones.loseAnswers('points')
      await button(en.sign_done).click()
      await expect.poll(async () => (await stored('signs')).length).toBe(1)
      await phone.crash()
      expect(isLost()).toBe(true)
      phones.proxy.watch(() => true)
      await phone.reopen(phones.address)
      await phone.sent()
      expect((await stored('signs')).map(({ points }) => points)).toEqual([drawn])
    },
  )

  test('an entry is undone at a tap, with a network and without: what was sent is deleted, what was not is withdrawn', async () => {
    for (const uid of ['undone', 'unsent', 'undone-later']) await phones.event.guest(phones.category, uid)
    const phone = await phones.newPhone('undoes')
    const { page } = phone
    await phone.knowsForGood()
    const undo = page.getByRole('button', { name: en.undo, exact: true })
    const close = page.getByRole('button', { name: en.close })
    await phone.scan('undone')
    await expect.poll(() => phone.look()).toBe('granted')
    await undo.click()
    await page.getByText(en.undone.replace('{name}', 'undone')).waitFor()
    await expect.poll(() => phones.statuses('undone')).toEqual([])
    await phone.scan('undone')
    await expect.poll(() => phone.look()).toBe('granted')
    await phone.scan('undone-later')
    await expect.poll(() => phone.look()).toBe('granted')
    await close.click()
    phones.proxy.cut()
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
    await expect.poll(() => phone.link()).toContain(en.waiting.replace('{count}', '1'))
    expect(await phones.statuses('undone-later')).toEqual([0])
    // The guest may enter again by what this device knows.
    await phone.scan('undone-later')
    expect(await phone.look()).toBe('unconfirmed')
    await close.click()
    phones.proxy.mend()
    await phone.found()
    await phone.sent()
    expect(await phones.statuses('unsent')).toEqual([])
    expect(await phones.recorded('undone-later')).toEqual([
      expect.objectContaining({ access_status: 0, decided_offline: 0 }),
    ])
  })

  test('a guest on no list is added by name, with a network and without; closed or without an answer, the phone adds nobody twice', async () => {
    const walkIns = await phones.event
      .make('guest_categories.json', { name: 'Walk-ins', walk_in_enabled: true })
      .then(idOf)
    const gate = await phones.event.point('Gate')
    await phones.event.link(walkIns, gate, 1)
    const { code } = await phones.newDevice('adds', [gate])
    const phone = await Phone.enrol(await phones.newContext(), `${phones.address}#${code}`)
    const button = (name: string) => phone.page.getByRole('button', { name, exact: true })
    const add = async (name: string, persons = 1): Promise<string> => {
      await button(en.walk_in).click()
      await phone.page.getByLabel(en.walk_in_name).fill(name)
      for (let n = 1; n < persons; n++) await button(en.walk_in_more).click()
      await button(en.check_in).click()
      return phone.next()
    }
    const added = async (name: string) => {
      const guests: { uid: string; party_size: number }[] = await phones.event.read(`guests.json?search=${name}`)
      return Promise.all(guests.map(async ({ uid, party_size }) => [party_size, await phones.statuses(uid)]))
    }
    await add('Walker')
    await expect.poll(() => phone.look()).toBe('granted')
    // Nobody is asked to sign at a point where that is not wanted.
    expect(await phone.page.getByRole('button', { name: SIGN }).count()).toBe(0)
    expect(await added('Walker')).toEqual([[1, [0]]])
    await phone.isInstalled()
    phones.proxy.cut()
    await phone.lost()
    expect(await add('Strider', 3)).toContain('Strider')
    expect(await phone.look()).toBe('unconfirmed')
    await phone.crash()
    await phone.reopen(phones.address)
    await expect.poll(() => phone.link()).toContain(en.waiting.replace('{count}', '1'))
    phones.proxy.mend()
    const isLost = phones.loseAnswers('access_control')
    await phone.found()
    await expect.poll(isLost).toBe(true)
    phones.proxy.watch(() => true)
    await phone.sent()
    expect(await added('Strider')).toEqual([[3, [0]]])
  })

  test('of a party the phone asks how many come in, with a network and without, and offers those who are left', async () => {
    for (const uid of ['party', 'guests'])
      await phones.event.guest(phones.category, uid, { last_name: uid, party_size: 4 })
    const phone = await phones.newPhone('parties', { viewport: { width: 320, height: 568 } })
    const { page } = phone
    const persons = async (uid: string) =>
      (await phones.event.all('access_controls.json'))
        .filter(({ guest_uid, access_status }) => guest_uid === uid && access_status === 0)
        .map(({ persons }) => persons)
    const letIn = (count: number) => page.getByRole('button', { name: en.let_in.replace('{persons}', String(count)) })
    await phone.knowsForGood()
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
    await phones.event.scan(phones.door, 'guests')
    await phone.scan('guests')
    await letIn(4).click()
    await phone.next()
    await expect.poll(() => phone.look()).toBe('too_many')
    await letIn(3).click()
    await phone.next()
    await expect.poll(() => phone.look()).toBe('granted')
    expect((await persons('guests')).toSorted()).toEqual([1, 3])
    await phones.event.guest(phones.category, 'unlisted', { party_size: 2 })
    await phone.page.getByRole('button', { name: en.close }).click()
    phones.proxy.cut()
    await phone.lost()
    await phone.scan('party')
    // One is left: there is nothing to ask.
    await expect.poll(() => phone.look()).toBe('unconfirmed')
    phones.proxy.mend()
    await phone.found()
    await phone.sent()
    expect((await persons('party')).toSorted()).toEqual([1, 3])
  })

  test('of many check-in points the steward finds one by a part of its name, without accents', async () => {
    const points = await Promise.all(Array.from({ length: 9 }, (_, number) => phones.event.point(`Entrée ${number}`)))
    const { code } = await phones.newDevice('many', points)
    const page = await (await phones.newContext()).newPage()
    await page.goto(`${phones.address}#${code}`)
    await page.getByLabel(en.point_find).fill('entree 7')
    await expect.poll(() => page.getByRole('button').allTextContents()).toEqual(['Entrée 7'])
    await page.getByRole('button', { name: 'Entrée 7' }).click()
    await page.getByRole('heading', { name: /^Entrée 7/ }).waitFor()
  })

  test('at an area the phone says how full it is, warns when it is full, and switches between in and out', async () => {
    const { _id: area_id } = await phones.event.make('areas.json', { name: 'Lounge', capacity: 2 })
    const point = (name: string, direction: string) =>
      phones.event.make('accesspoints.json', { name, direction, area_id }).then(idOf)
    const [entrance, exit] = [await point('Lounge in', 'in'), await point('Lounge out', 'out')]
    await phones.event.link(phones.category, entrance, 1, { reentry: true })
    for (const uid of ['first', 'second']) await phones.event.guest(phones.category, uid)
    const { code } = await phones.newDevice('lounge', [entrance, exit])
    const phone = await Phone.enrol(await phones.newContext(), `${phones.address}#${code}`, undefined, 'Lounge in')
    const { page } = phone
    const says = (count: number) =>
      page.getByText(`Lounge: ${en.inside_of.replace('{count}', String(count)).replace('{capacity}', '2')}`).waitFor()
    await phone.knowsForGood()
    await phone.scan('first')
    await expect.poll(() => phone.look()).toBe('granted')
    await says(1)
    await phone.scan('second')
    await expect.poll(() => phone.shown()).toContain(en.area_full)
    const { height = 0 } = (await page.locator('.sheet').boundingBox()) ?? {}
    expect(height, 'over the whole screen').toBe(740)
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
    phones.proxy.cut()
    await phone.lost()
    await phone.scan('first')
    expect(await phone.look(), 'by its snapshot and its own scans').toBe('unconfirmed')
    await page.getByRole('button', { name: en.close }).click()
    await change('Lounge out')
    await phone.scan('second')
    expect(await phone.shown()).toContain(en.goes_out)
    phones.proxy.mend()
    await phone.found()
    await phone.sent()
    expect(await phones.statuses('first')).toEqual([0, 3, 0, 0])
    expect((await phones.event.read(`areas/${area_id}.json`)).inside_count).toBe(1)
  })

  test('a full area is warned of too where its count is later than the answer', async () => {
    const { _id: area_id } = await phones.event.make('areas.json', { name: 'Cellar', capacity: 1 })
    const { _id: cellar } = await phones.event.make('accesspoints.json', { name: 'Cellar', area_id })
    await phones.event.link(phones.category, cellar, 1)
    await phones.event.guest(phones.category, 'fills')
    const context = await phones.newContext({ serviceWorkers: 'block' })
    const { code } = await phones.newDevice('cellar', [cellar])
    const phone = await Phone.enrol(context, `${phones.address}#${code}`)
    await phone.knows()
    await context.route('**/access_controls.json*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), area_full: false } })
    })
    await phone.scan('fills')
    await expect.poll(() => phone.shown()).toContain(en.area_full)
  })

  test('at each check-in point the phone says how many persons are still to come, and without a network how many were last', async () => {
    const late = await phones.event.make('guest_categories.json', { name: 'Late' }).then(idOf)
    const gate = await phones.event.point('Gate')
    const link = await phones.event.link(late, gate, 1)
    const guests = await Promise.all(
      ['late-1', 'late-2', 'late-3'].map((uid, index) => phones.event.guest(late, uid, { party_size: index + 1 })),
    )
    const { code } = await phones.newDevice('to come', [gate])
    const phone = await Phone.enrol(await phones.newContext(), `${phones.address}#${code}`)
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
    await phones.event.change(`guests/${guests[1]}.json`, { party_size: 5 })
    await says(9)
    await phones.event.remove(`guests/${guests[2]}.json`)
    await says(6)
    phones.proxy.cut()
    await phone.lost()
    expect(await phone.page.locator('.to-come').innerText()).toContain('6')
    phones.proxy.mend()
    await phones.event.remove(`guest_category_accesspoints/${link}.json`)
    await phone.found()
    await expect.poll(() => phone.page.locator('.to-come').count()).toBe(0)
  })

  test('a press on Undo that ends after the next result has come undoes neither', async () => {
    for (const uid of ['pressed', 'after-press']) await phones.event.guest(phones.category, uid)
    const phone = await phones.newPhone('presses')
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
    expect(await phones.statuses('pressed')).toEqual([0])
  })

  test('what the server refuses to undo is said in its words', deep, async () => {
    await phones.event.guest(phones.category, 'stays')
    const context = await phones.newContext({ serviceWorkers: 'block' })
    const { code } = await phones.newDevice('cannot undo')
    const phone = await Phone.enrol(context, `${phones.address}#${code}`)
    const { page } = phone
    await phone.scan('stays')
    await expect.poll(() => phone.look()).toBe('granted')
    const words = 'At the door a check-in can only be undone within 15 minutes'
    await page.route('**/access_controls/*.json', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 403, json: { error: words } }) : route.continue(),
    )
    await page.getByRole('button', { name: en.undo, exact: true }).click()
    await page.getByText(words).waitFor()
    expect(await phones.statuses('stays')).toEqual([0])
  })

  test('the note and the fields on devices are shown with each answer, granted or refused, with a network and without, and are not stored', async () => {
    await phones.event.make('guest_fields.json', { key: 'seat', label: 'Seat', on_device: true })
    const details = { company_name: 'Initech-Noted', position: 'Engineer', message: 'Meet at desk four' }
    const guest_metadata = [{ name: 'seat', value: 'Row seven' }]
    for (const uid of ['noted-1', 'noted-2'])
      await phones.event.guest(phones.category, uid, {
        first_name: 'Emmy',
        last_name: 'Noted',
        ...details,
        guest_metadata,
      })
    const phone = await phones.newPhone('notes')
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
    phones.proxy.cut()
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
})
