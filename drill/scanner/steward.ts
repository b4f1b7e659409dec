import { setTimeout as sleep } from 'node:timers/promises'
import { writeVideo } from '@gatehouse/test/harness/fake-camera.ts'
import { type Phase, Unfinished } from '@gatehouse/test/load/phases.ts'
import type { BrowserContext, Page } from 'playwright-core'
import QRCode from 'qrcode'
import en from '../../apps/scanner/src/texts/languages/en.json' with { type: 'json' }
import type { DrillRecord } from '../record.ts'
import type { ScanAttempt, ScannerEnding } from './attempts.ts'
import { COUNT_SNAPSHOTS, pressing, typing } from './page-scripts.ts'
import { type Doorway, type DrillPoint, partyOf } from './scanner-event.ts'
import { type Sight, shownIn, WATCHING } from './screen.ts'

/** After 0.7 s the device decides by itself. The rest is for a machine that is busy with eight browsers and the whole system. */
const ANSWERED_MS = 10_000
/** A camera sees as soon as the machine has decoded what it shows. */
const SEEN_MS = 20_000
const OPENED_MS = 90_000
const POLL_MS = 200
/** Side of a QR code in pixels. */
const CODE_WIDTH = 300

interface StewardOptions {
  /** Which scanner this is, from 0. */
  number: number
  context: BrowserContext
  /** Where the phone finds the app. */
  url: string
  /** Where the steward stands. */
  doorway: Doorway
  record: DrillRecord
  /** The file that the camera shows. */
  video: string
}

/** A steward with a phone of his own: scans, sees what the screen shows, and notes it. */
export class Steward {
  readonly #options: StewardOptions
  #phase: Phase
  #page: Page | undefined
  #point: DrillPoint
  #walkIns = 0
  /** The scans since the app was opened, in their order. */
  #made: ScanAttempt[] = []
  #waiting = new Map<ScanAttempt, () => void>()

  private constructor(options: StewardOptions, phase: Phase) {
    this.#options = options
    this.#phase = phase
    this.#point = options.doorway.entrance
  }

  /** Whether the steward scans those who go out. */
  get isAtExit(): boolean {
    return this.#point === this.#options.doorway.exit
  }

  /** Makes the phone the device of a code, and waits until it knows the guests and starts without a network. */
  static async enrol(options: StewardOptions, code: string, phase: Phase): Promise<Steward> {
    const steward = new Steward(options, phase)
    options.record.kills[options.number] = 0
    options.context.setDefaultTimeout(OPENED_MS * options.record.slack)
    await options.context.exposeBinding('seen', ({ page }, sight: Sight) => steward.#see(page, sight))
    await options.context.addInitScript(WATCHING)
    const page = await steward.open(`#${code}`)
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    await steward.#until('a snapshot', async () => (await page.evaluate<number>(COUNT_SNAPSHOTS)) === 1)
    return steward
  }

  /** Goes on in another phase of the drill. */
  inPhase(phase: Phase): void {
    this.#phase = phase
  }

  /** Opens the app. */
  async open(code = ''): Promise<Page> {
    const { context, url } = this.#options
    const page = await context.newPage()
    this.#page = page
    this.#made = []
    await page.goto(`${url}/scanner/${code}`).catch(() => {})
    const outcome = page.locator('.outcome')
    await this.#until('its app', async () => {
      // Only a new device asks where it is.
      await this.#press('main > button', this.#point.name)
      return (await outcome.count()) > 0
    })
    return page
  }

  /** Scans with a scanner that types. Resolves when the screen shows an answer; with `cutShort` at once. */
  async type(uid: string, cutShort = false): Promise<void> {
    const attempt = this.#attempt(uid, 'typed')
    const answered = this.#answerTo(attempt)
    await this.#opened().evaluate(typing(uid))
    if (!cutShort) await this.#expect(answered, attempt)
  }

  /** Lets in as many of a party as the screen offers, less so many; nobody if it offers none. */
  async letIn(less: number): Promise<void> {
    const [last] = this.#made.slice(-1)
    if (!last) return
    for (let n = 0; n < less; n++) await this.#press('.party button', '−')
    const attempt = this.#attempt(last.uid, 'answered')
    const answered = this.#answerTo(attempt)
    const words = await this.#press('.party button:not(.step)')
    if (words === null) return this.#withdraw(attempt)
    attempt.persons = Number(/\d+/.exec(words)?.[0])
    await this.#expect(answered, attempt)
  }

  /** Undoes the last scan, if the screen offers that. Resolves when it says so; with `cutShort` at once. */
  async undo(cutShort = false): Promise<void> {
    const [last] = this.#made.slice(-1)
    if (!last) return
    // The steward may be gone before the page says whether there was a button.
    last.undo = 'asked'
    const words = await this.#press('.actions button', en.undo)
    if (words === null) delete last.undo
    else if (!cutShort) {
      const undone = this.#opened().locator('.undone').waitFor({ state: 'attached', timeout: 0 })
      // What the server refuses meanwhile is not undone any more, so the screen may say nothing.
      if (await this.#inTime(undone, ANSWERED_MS)) last.undo = 'done'
    }
  }

  /** Adds a guest who is on no list, and so many persons with the guest. */
  async addWalkIn(more: number): Promise<void> {
    const { number } = this.#options
    const name = `Walk-in ${number}-${this.#walkIns++}`
    if ((await this.#press('nav button', en.walk_in)) === null) return
    const page = this.#opened()
    await page.locator('#name').fill(name)
    for (let n = 0; n < more; n++) await this.#press('.persons button', '+')
    const attempt = this.#attempt(name, 'walk-in', more + 1)
    const answered = this.#answerTo(attempt)
    await this.#press('form button[type=submit]')
    await this.#expect(answered, attempt)
  }

  /** Scans those who go the other way from now on. */
  async turn(): Promise<void> {
    const { entrance, exit } = this.#options.doorway
    const to = this.isAtExit ? entrance : exit
    const page = this.#opened()
    await this.#until('the way to the other side', async () => {
      await this.#press('.here button', en.switch_to.replace('{point}', to.name))
      return (await page.locator('h1').innerText()).startsWith(to.name)
    })
    this.#point = to
  }

  /** Holds a guest's QR code before the camera, and takes it away when the screen shows an answer. */
  async hold(uid: string): Promise<void> {
    // An allowed camera starts by itself when the app is opened, and looks at what was shown then.
    await this.#press('button', en.camera_stop)
    await writeVideo(this.#options.video, await QRCode.toBuffer(uid, { width: CODE_WIDTH }))
    const attempt = this.#attempt(uid, 'camera')
    const answered = this.#answerTo(attempt)
    await this.#press('button', en.camera_start)
    const isSeen = await this.#inTime(answered, SEEN_MS)
    await writeVideo(this.#options.video)
    // A camera that sees nothing on a busy machine is no scan; what it sees later is not expected any more.
    if (isSeen) await this.#press('button', en.camera_stop)
    else {
      await this.kill(false)
      await this.open()
    }
  }

  /** Kills the tab, as a browser does that runs out of memory, or as a steward who closes it. */
  async kill(crashes: boolean): Promise<void> {
    const page = this.#opened()
    const { record, number } = this.#options
    record.kills[number] = (record.kills[number] ?? 0) + 1
    if (crashes) {
      const crashed = page.waitForEvent('crash')
      page.goto('chrome://crash').catch(() => {})
      await crashed
    }
    this.#page = undefined
    await page.close()
    for (const attempt of this.#made) if (attempt.answered === undefined) attempt.isCutShort = true
    this.#waiting.clear()
  }

  /** What the app says when its network is well again and it has had the time to send what waits. */
  async ending(forMs: number): Promise<ScannerEnding> {
    const page = this.#page ?? (await this.open())
    const link = page.locator('.link')
    const until = performance.now() + forMs
    let says = await link.innerText()
    while (says !== en.online && performance.now() < until) {
      await sleep(POLL_MS, undefined, { signal: this.#phase.signal })
      says = await link.innerText()
    }
    const button = page.getByRole('button', { name: /^Conflicts/ })
    const ending: ScannerEnding = { differences: [], waiting: says === en.online ? undefined : says }
    if ((await button.count()) === 0) return ending
    // The result of the last scan may lie over it.
    await button.dispatchEvent('click')
    const items = page.locator('.conflicts li')
    await items.first().waitFor()
    ending.differences = await items.evaluateAll((all: PageElement[]) =>
      all.map((item) => ({
        uid: item.querySelector('strong')?.textContent ?? '',
        stamp: item.querySelector('time')?.dateTime ?? '',
        sentence: item.querySelector('p')?.textContent ?? '',
      })),
    )
    return ending
  }

  #see(page: Page, sight: Sight): void {
    if (page !== this.#page) return
    // On a busy machine the camera may lose a code from its view and see it again, long before the screen shows that.
    const last = this.#made.at(-1)
    while (last?.how === 'camera' && this.#made.length < sight.number)
      this.#attempt(sight.who, 'camera', last.persons, last.begun)
    const attempt = this.#made[sight.number - 1]
    const { record, number } = this.#options
    const shown = shownIn(sight)
    if (!attempt || (sight.who !== attempt.uid && shown.by !== 'app')) {
      const told = `scanner ${number} shows ${JSON.stringify(sight)}, and has scanned ${attempt?.uid ?? 'nothing'}`
      return record.violation('shown', 'a screen shows what was not scanned', [told])
    }
    const isLetThrough = 'status' in shown && shown.status === 0
    if (isLetThrough && (sight.heading === en.goes_out) !== this.#isExit(attempt.point))
      record.violation('shown', 'a screen mistakes in and out', [`scanner ${number} shows ${JSON.stringify(sight)}`])
    record.show(attempt, shown, sight.at)
    this.#waiting.get(attempt)?.()
    this.#waiting.delete(attempt)
  }

  #attempt(uid: string, how: ScanAttempt['how'], persons = this.#personsOf(uid), begun?: number): ScanAttempt {
    const { record, number } = this.#options
    const attempt = record.attempt({ scanner: number, point: this.#point._id, uid, how, persons }, begun)
    this.#made.push(attempt)
    return attempt
  }

  /** How many come in or go out where the steward does not say so. */
  #personsOf(uid: string): number {
    return this.isAtExit ? partyOf(uid) : 1
  }

  #isExit(point: string): boolean {
    return point === this.#options.doorway.exit._id
  }

  /** Forgets the last scan, which was not made. */
  #withdraw(attempt: ScanAttempt): void {
    const { attempts } = this.#options.record
    attempts.splice(attempts.lastIndexOf(attempt), 1)
    this.#made.pop()
    this.#waiting.delete(attempt)
  }

  /** Presses a button, and gives its words; null if there is none. */
  #press(selector: string, words?: string): Promise<string | null> {
    return this.#opened().evaluate<string | null>(pressing(selector, words))
  }

  async #expect(answered: Promise<void>, attempt: ScanAttempt): Promise<void> {
    if (!(await this.#inTime(answered, ANSWERED_MS))) this.#missed(attempt)
  }

  #answerTo(attempt: ScanAttempt): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(attempt, resolve))
  }

  async #inTime(answered: Promise<void>, ms: number): Promise<boolean> {
    const late = new AbortController()
    const signal = AbortSignal.any([late.signal, this.#phase.signal])
    const inTime = sleep(ms * this.#options.record.slack, false, { signal }).catch(() => false)
    const isInTime = await Promise.race([answered.then(() => true), inTime])
    late.abort()
    this.#phase.signal.throwIfAborted()
    return isInTime
  }

  #missed(attempt: ScanAttempt): void {
    const { record } = this.#options
    record.violation('answered', `no answer on the screen within ${ANSWERED_MS / 1_000} s`, [JSON.stringify(attempt)])
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const { number, record } = this.#options
    const until = performance.now() + OPENED_MS * record.slack
    while (!(await isSo())) {
      if (performance.now() > until) throw new Unfinished(`scanner ${number} did not get ${what}`)
      await sleep(POLL_MS, undefined, { signal: this.#phase.signal })
    }
  }

  #opened(): Page {
    if (!this.#page) throw new Error('The app is not open')
    return this.#page
  }
}

/** An element in a browser. */
interface PageElement {
  textContent: string | null
  dateTime: string
  querySelector(selector: string): PageElement | null
}
