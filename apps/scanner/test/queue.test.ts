// @module-tag slow
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { fakeCamera, writeVideo } from '@gatehouse/test/harness/fake-camera.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import { expect, onTestFinished, test } from 'vitest'
import en from '../src/texts/languages/en.json' with { type: 'json' }
import { Phone } from './phone.ts'

const HOUR = 3_600_000
const POINT = 'Main entrance'

interface QueuedGuest {
  name: string
  picture: Buffer
  /** What the phone says of the guest, once the steward has answered what it asks. */
  says: RegExp
  /** Of a party, how many come in. */
  persons?: number
}

/** What the steward can see of the result: its texts, where nothing lies over them, without what reaches beyond the screen. */
const VISIBLE = `(() => {
  const { width, height } = visualViewport
  return [...document.querySelectorAll('.sheet h2, .sheet strong, .sheet p')]
    .filter((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      return left >= 0 && right <= width && top >= 0 && bottom <= height && element.contains(at)
    })
    .map((element) => element.innerText)
    .join('\\n')
})()`

// Each guest takes a third of a second, of the camera.
test('at one phone a queue of guests of all kinds, code after code before the camera, gets no wrong answer, and none that is not seen', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'queue-'))
  const video = join(folder, 'camera.y4m')
  await writeVideo(video)
  const [system, browser] = await Promise.all([sharedSystem(), startChromium(fakeCamera(video))])
  onTestFinished(async () => {
    await browser.close()
    await system.stop()
    await rm(folder, { recursive: true })
  })
  const testEvent = await TestEvent.open(system)
  const door = await testEvent.point(POINT)
  const queue = await queueAt(testEvent, door, rounds(2, 10))
  const { code } = await testEvent.make('devices.json', { name: 'queue', accesspoint_ids: [door] })
  const context = await browser.newContext({ viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true })
  context.setDefaultTimeout(90_000)
  const phone = await Phone.enrol(context, `${system.url}/scanner/#${code}`)
  await phone.startCamera()
  for (const { name, picture, says, persons } of queue) {
    await writeVideo(video, picture)
    await phone.next()
    if (persons) {
      expect(await phone.look(), name).toBe('party')
      await phone.page.getByRole('button', { name: en.fewer }).click()
      await phone.page.getByRole('button', { name: en.let_in.replace('{persons}', String(persons)) }).click()
      await phone.next()
    }
    await expect.poll(() => phone.page.evaluate(VISIBLE), { message: name }).toMatch(says)
  }
  const seen = await phone.page.locator('.outcome').getAttribute('data-number')
  expect(Number(seen)).toBe(queue.length + queue.filter(({ persons }) => persons).length)
})

/** So many guests of each kind, one kind after the other. */
async function queueAt(testEvent: TestEvent, door: string, ofEachKind: number): Promise<QueuedGuest[]> {
  const category = async (name: string, link?: object) => {
    const id = await testEvent.category(name)
    if (link) await testEvent.link(id, door, 1, link)
    return id
  }
  const elsewhere = await TestEvent.open(testEvent.system)
  const [today, tomorrow, yesterday, nowhere, foreign] = await Promise.all([
    category('Visitors', {}),
    category('Tomorrow', { valid_from: new Date(Date.now() + 24 * HOUR).toISOString() }),
    category('Yesterday', { valid_until: new Date(Date.now() - HOUR).toISOString() }),
    category('Nowhere'),
    elsewhere.category(),
  ])
  const queue: QueuedGuest[] = []
  const join = async (
    says: string,
    guest_category_id: string,
    fields: { persons?: number; [field: string]: unknown } = {},
  ) => {
    const { persons, ...more } = fields
    const name = `Guest ${queue.length + 1}`
    const at = guest_category_id === foreign ? elsewhere : testEvent
    const guest = await at.make('guests.json', { guest_category_id, last_name: name, ...more })
    const picture = Buffer.from(await (await fetch(guest.qrcode_url)).arrayBuffer())
    const said = new RegExp(`^${says.replace('NAME', `${name}\\b`).replace('UID', guest.uid)}`)
    queue.push({ name, picture, says: said, ...(persons && { persons }) })
    return guest
  }
  for (let round = 0; round < ofEachKind; round++) {
    await join(`${en.granted}\\nNAME`, today)
    await join(`${en.granted}\\nBring a chair\\n*NAME`, today, { message: 'Bring a chair' })
    await join(`${en.granted}\\nNAME[^]*1 more may enter`, today, { party_size: 4, persons: 3 })
    await join(`${en.too_early}\\nNAME[^]*From `, tomorrow)
    await join(`${en.too_late}\\nNAME`, yesterday)
    await join(`${en.not_authorized}\\nNAME`, nowhere)
    await join(`${en.unknown}\\nUID`, foreign)
    const { uid } = await join(`${en.too_many}\\nNAME[^]*In already at .*, ${POINT}`, today)
    await testEvent.scan(door, uid)
    const inside = await join(`${en.too_many}\\nNAME`, today, { party_size: 3 })
    await testEvent.scan(door, inside.uid, { persons: 3 })
    const gone = await join(`${en.unknown}\\nUID`, today)
    await testEvent.remove(`guests/${gone._id}.json`)
  }
  return queue
}
