import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { fakeCamera, writeVideo } from '@gatehouse/test/harness/fake-camera.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { System } from '@gatehouse/test/harness/system.ts'
import { proxyTo, type TcpProxy } from '@gatehouse/test/harness/tcp-proxy.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { Phone } from './phone.ts'

/** A name of this machine that these browsers take for another one. */
export const ELSEWHERE = 'scanner.test'

/** The door that phones scan at, and what phones they are. */
export interface PhonesSettings {
  category?: object
  point?: object
  /** How often a guest may come in. */
  entries?: number
  context?: BrowserContextOptions
}

/** Phones of stewards, at a door where guests sign. */
export const STEWARDS: PhonesSettings = {
  category: { device_names_enabled: true },
  point: { signature_enabled: true },
  context: { viewport: { width: 360, height: 740 } },
}

/** Phones with the scanner, at the door of an event of its own, which reach the server through a proxy. */
export class Phones {
  readonly #settings: PhonesSettings
  readonly #contexts: BrowserContext[] = []
  #folder = ''
  #browser!: Browser
  system!: System
  proxy!: TcpProxy
  event!: TestEvent
  category = ''
  door = ''

  constructor(settings: PhonesSettings) {
    this.#settings = settings
  }

  async start(): Promise<void> {
    const { category, point, entries = 1 } = this.#settings
    this.#folder = await mkdtemp(join(tmpdir(), 'phones-'))
    await this.showNothing()
    const elsewhere = `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`
    const browser = startChromium([...fakeCamera(this.#video), elsewhere])
    ;[this.system, this.#browser] = await Promise.all([sharedSystem(), browser])
    this.proxy = await proxyTo(this.system.url)
    this.event = await TestEvent.open(this.system, { title: 'Opening Night' })
    this.category = idOf(await this.event.make('guest_categories.json', { name: 'VIP', ...category }))
    this.door = idOf(await this.event.make('accesspoints.json', { name: 'Main entrance', ...point }))
    await this.event.link(this.category, this.door, entries)
  }

  /** Closes all that tests have opened, and lets the proxy forward everything again. */
  async reset(): Promise<void> {
    this.proxy.mend()
    this.proxy.thaw()
    this.proxy.watch(() => true)
    for (const context of this.#contexts.splice(0)) await context.close()
  }

  async stop(): Promise<void> {
    await this.#browser?.close()
    await this.proxy?.close()
    await this.system?.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  get #video(): string {
    return join(this.#folder, 'camera.y4m')
  }

  /** The address of the scanner. */
  get address(): string {
    return `${this.proxy.url}/scanner/`
  }

  /** Holds the picture of a code before all cameras. */
  async showCode(url: string): Promise<void> {
    await writeVideo(this.#video, Buffer.from(await (await fetch(url)).arrayBuffer()))
  }

  async showNothing(): Promise<void> {
    await writeVideo(this.#video)
  }

  /** The browser of another phone. */
  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ locale: 'en-GB', ...this.#settings.context, ...options })
    // The machine may be busy.
    context.setDefaultTimeout(90_000)
    this.#contexts.push(context)
    return context
  }

  /** A device of the organizer, with the code that makes a phone this device. */
  newDevice(name: string, accesspoint_ids = [this.door]): Promise<{ _id: string; code: string }> {
    return this.event.make('devices.json', { name, accesspoint_ids })
  }

  /** A phone that the organizer has made a device. */
  async newPhone(name: string, options: BrowserContextOptions = {}): Promise<Phone> {
    const { code } = await this.newDevice(name)
    return Phone.enrol(await this.newContext(options), `${this.address}#${code}`)
  }

  /** The check-ins of a guest, in the order of their stamps. */
  async recorded(uid: string): Promise<{ access_status: number; access_stamp: string }[]> {
    const all = await this.event.all('access_controls.json')
    return all.filter(({ guest_uid }) => guest_uid === uid).reverse()
  }

  /** What was decided of a guest, likewise. */
  async statuses(uid: string): Promise<number[]> {
    return (await this.recorded(uid)).map(({ access_status }) => access_status)
  }

  /**
   * Loses the answers of the server that have a field, and no others: a phone that a busy machine has lose the server for a while finds it again,
   * and asks. Returns whether one was lost.
   */
  loseAnswers(field: string): () => boolean {
    let isLost = false
    this.proxy.watch((chunk) => {
      const isAnswer = chunk.includes(`"${field}"`)
      isLost ||= isAnswer
      return !isAnswer
    })
    return () => isLost
  }
}

/** Phones for the tests of this file. */
export function usePhones(settings: PhonesSettings): Phones {
  const phones = new Phones(settings)
  beforeAll(() => phones.start())
  afterEach(() => phones.reset())
  afterAll(() => phones.stop())
  return phones
}

export function idOf({ _id }: { _id: string }): string {
  return _id
}
