import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import en from '../src/texts/languages/en.json' with { type: 'json' }

/** Where the app keeps what the steward has set. */
export const SETTINGS = 'gatehouse-scanner-settings'

/** The button by which a guest signs. */
export const SIGN: RegExp = new RegExp(`^${en.sign.replace('{name}', '.+')}$`)

/** A place on the pad, in pixels from its corner. */
type Place = [x: number, y: number]
/** A drawing as the API has it. */
type Drawn = { width: string; height: string; lines: object[] }
/** What is laid on the pad, moved and lifted, at places of the page. */
interface Pointer {
  lower(x: number, y: number): Promise<unknown>
  move(x: number, y: number): Promise<unknown>
  lift(): Promise<unknown>
}

/** A steward's phone with the scanner. */
export class Phone {
  readonly context: BrowserContext
  page: Page
  #scans = 0

  private constructor(context: BrowserContext, page: Page) {
    this.context = context
    this.page = page
  }

  /** Opens an address with the code of a device, as a camera does, at one of its points, and waits until it scans. */
  static async enrol(context: BrowserContext, url: string, page?: Page, point?: string | RegExp): Promise<Phone> {
    // So that no result is gone before a slow test looks at it.
    await context.addInitScript({ content: `localStorage['${SETTINGS}'] ??= '{"seconds":0}'` })
    const phone = new Phone(context, page ?? (await context.newPage()))
    await phone.page.goto(url)
    if (point) await phone.page.getByRole('button', { name: point }).click()
    await phone.ready()
    return phone
  }

  /** Waits until the app scans. A camera that is allowed may have seen a code by then. */
  async ready(): Promise<void> {
    await this.page.locator('.outcome').waitFor()
  }

  /** Opens the app again, after its page was closed. */
  async reopen(url: string): Promise<void> {
    this.page = await this.context.newPage()
    this.#scans = 0
    await this.page.goto(url)
    await this.ready()
  }

  /** Starts the camera, unless the app has done that by itself since it is allowed. */
  async startCamera(): Promise<void> {
    const button = this.page.getByRole('button', { name: /the camera/ })
    if ((await button.innerText()) === en.camera_start) await button.click()
  }

  /** Whether the page has loaded the decoder that comes with the app. */
  async hasLoadedDecoder(): Promise<boolean> {
    return this.page.evaluate("performance.getEntriesByType('resource').some(({ name }) => name.endsWith('.wasm'))")
  }

  /** Types a code, and returns what the phone shows. */
  async scan(code: string): Promise<string> {
    await this.page.getByLabel(en.type_code).fill(code)
    await this.page.keyboard.press('Enter')
    return this.next()
  }

  /** What the phone shows of the next scan. */
  async next(): Promise<string> {
    this.#scans++
    await this.page.locator(`.outcome[data-number="${this.#scans}"]`).waitFor()
    return this.shown()
  }

  /** What the phone shows now, in lines. */
  async shown(): Promise<string> {
    return this.page.locator('.outcome').innerText()
  }

  /** How the outcome looks that is shown. */
  async look(): Promise<string> {
    const classes = await this.page.locator('.outcome').getAttribute('class')
    return (classes ?? '').replace('outcome ', '')
  }

  /** What the phone says of the server and of scans that wait. */
  async link(): Promise<string> {
    return this.page.locator('.link').innerText()
  }

  /** Waits until the server answers and has all scans. */
  async sent(): Promise<void> {
    await expect.poll(() => this.link()).toBe(en.online)
  }

  /** Waits until the phone has learned that the server does not answer. */
  async lost(): Promise<void> {
    await this.page.evaluate("dispatchEvent(new Event('offline'))")
    await expect.poll(() => this.link()).toContain(en.offline)
  }

  /** Tells the phone that there is a network again, as the system does. Otherwise it finds out a little later. */
  async found(): Promise<void> {
    await this.page.evaluate("dispatchEvent(new Event('online'))")
  }

  /** Draws with the mouse from place to place on the pad, in pixels from its corner. Returns the drawing as the API has it. */
  async draw(...places: Place[]): Promise<Drawn> {
    const { mouse } = this.page
    return this.#drawWith(places, '2', {
      lower: async (x, y) => {
        await mouse.move(x, y)
        await mouse.down()
      },
      move: (x, y) => mouse.move(x, y),
      lift: () => mouse.up(),
    })
  }

  /** Draws likewise with a finger, while the ball of the hand lies on the pad from the first place on. */
  async drawWithFinger(...places: Place[]): Promise<Drawn> {
    const session = await this.context.newCDPSession(this.page)
    let ball: { x: number; y: number; id: number } | undefined
    const touch = (type: 'touchStart' | 'touchMove', x: number, y: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y, id: 0 }, ...(ball ? [ball] : [])] })
    return this.#drawWith(places, '2', {
      lower: async (x, y) => {
        await touch('touchStart', x, y)
        ball = { x: x + 5, y: y + 30, id: 1 }
        await touch('touchStart', x, y)
      },
      move: async (x, y) => {
        if (ball) ball.x += 10
        await touch('touchMove', x, y)
      },
      lift: () => session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
    })
  }

  /** Draws likewise with a pen that is pressed hard: it draws wider. */
  async drawWithPen(...places: Place[]): Promise<Drawn> {
    const session = await this.context.newCDPSession(this.page)
    const pen = { button: 'left', pointerType: 'pen' } as const
    let last = { x: 0, y: 0 }
    const to = (type: 'mousePressed' | 'mouseMoved', x: number, y: number) => {
      last = { x, y }
      return session.send('Input.dispatchMouseEvent', { ...pen, type, x, y, buttons: 1, clickCount: 1, force: 1 })
    }
    return this.#drawWith(places, '3', {
      lower: (x, y) => to('mousePressed', x, y),
      move: (x, y) => to('mouseMoved', x, y),
      lift: () => session.send('Input.dispatchMouseEvent', { ...pen, type: 'mouseReleased', ...last, clickCount: 1 }),
    })
  }

  async #drawWith(places: readonly Place[], width: string, { lower, move, lift }: Pointer): Promise<Drawn> {
    const pad = this.page.locator('.pad')
    const box = (await pad.boundingBox()) ?? expect.fail('no pad')
    const at = places.map(([x, y]) => [Math.round(box.x + x), Math.round(box.y + y)] as const)
    for (const [index, [x, y]] of at.entries()) await (index === 0 ? lower(x, y) : move(x, y))
    await lift()
    const numeric = (value: number): string => String(Math.round(value * 10) / 10)
    const lines = at.slice(1).map(([x, y], index) => {
      const [fromX, fromY] = at[index] ?? [0, 0]
      return {
        x1: numeric(fromX - box.x),
        y1: numeric(fromY - box.y),
        x2: numeric(x - box.x),
        y2: numeric(y - box.y),
        'stroke-width': width,
      }
    })
    return { width: numeric(box.width), height: numeric(box.height), lines }
  }

  /** Fills what the page may store, with bytes that no store compresses. */
  async fillDisk(): Promise<void> {
    await this.page.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open('filling', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('all', { autoIncrement: true })
      opening.onsuccess = () => {
        const fill = (size) => {
          const transaction = opening.result.transaction('all', 'readwrite')
          transaction.objectStore('all').add(crypto.getRandomValues(new Uint8Array(size)))
          transaction.oncomplete = () => fill(size)
          transaction.onabort = () => (size > 50 ? fill(size >> 1) : resolve())
        }
        fill(65_536)
      }
    })`)
  }

  /** Waits until the phone has a snapshot of the event. */
  async knows(): Promise<void> {
    await expect.poll(async () => (await this.kept()).snapshot).toBe(1)
  }

  /**
   * Waits likewise, and lets no other snapshot come: one that is asked for while a scan is answered may count it or not, so that a phone takes it
   * for counted until it asks again.
   */
  async knowsForGood(): Promise<void> {
    await this.knows()
    await this.page.route('**/snapshot.json*', (route) => route.abort())
  }

  /** Waits until the phone has the key of ciphered codes, or has it no more. */
  async hasCodeKey(has = true): Promise<void> {
    await expect.poll(async () => (await this.kept()).hasCodeKey).toBe(has)
  }

  /** All texts and bytes, in hex, which a script finds in what the phone stores: those of keys too, where they can be exported. */
  async readable(): Promise<string> {
    return this.page.evaluate(`(async () => {
      const found = Object.entries({ ...localStorage, ...sessionStorage }).flat()
      const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
      const read = async (value) => {
        if (value instanceof CryptoKey)
          for (const format of ['raw', 'jwk']) await crypto.subtle.exportKey(format, value).then(read, () => {})
        else if (value instanceof ArrayBuffer) found.push(hex(new Uint8Array(value)))
        else if (ArrayBuffer.isView(value)) found.push(hex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)))
        else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) await read(each)
        else found.push(String(value))
      }
      const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)))
      for (const { name } of await indexedDB.databases()) {
        const database = await done(indexedDB.open(name))
        for (const store of database.objectStoreNames) {
          await read(await done(database.transaction(store).objectStore(store).getAll()))
        }
        database.close()
      }
      return found.join(' ')
    })()`)
  }

  /** Waits until the app starts without a network. */
  async isInstalled(): Promise<void> {
    await this.page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  }

  /** Ends the page as a browser does that runs out of memory. */
  async crash(): Promise<void> {
    const crashed = this.page.waitForEvent('crash')
    this.page.goto('chrome://crash').catch(() => {})
    await crashed
    await this.page.close()
  }

  /** What the phone keeps: how many snapshots and scans, its token, and whether it has the key of ciphered codes. */
  async kept(): Promise<{ snapshot: number; scans: number; token: string | null; hasCodeKey: boolean }> {
    return this.page.evaluate(`new Promise((resolve) => {
      indexedDB.open('gatehouse-scanner').onsuccess = ({ target: { result } }) => {
        const transaction = result.transaction(['snapshot', 'scans', 'device'])
        const snapshot = transaction.objectStore('snapshot').count()
        const scans = transaction.objectStore('scans').count()
        const device = transaction.objectStore('device').get('own')
        transaction.oncomplete = () => {
          result.close()
          const { token = null, code_key } = device.result ?? {}
          resolve({ snapshot: snapshot.result, scans: scans.result, token, hasCodeKey: code_key !== undefined })
        }
      }
    })`)
  }
}
