import { startChromium } from '@gatehouse/test/harness/chromium.ts'
import { SESSION_COOKIE, StaffVisitor } from '@gatehouse/test/harness/staff-visitor.ts'
import type { System } from '@gatehouse/test/harness/system.ts'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

type Cookie = Parameters<BrowserContext['addCookies']>[0][number]

/** Who opens a page: a role, and the event to which it is bound; nobody is signed in without a role. */
interface Who {
  role?: string | null
  event_id?: string | null
}

const viewport = { width: 1280, height: 800 }

/** A real browser in which staff members of an account use the console. */
export class ConsoleBrowser {
  readonly #system: System
  readonly #browser: Browser
  readonly #cookies = new Map<string, Promise<Cookie>>()
  readonly #contexts: BrowserContext[] = []

  private constructor(system: System, browser: Browser) {
    this.#system = system
    this.#browser = browser
  }

  static async start(system: System): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(system, await startChromium())
  }

  /** The cookie of a staff member of a role who is signed in. */
  cookieOf(role: string, event_id: string | null = null): Promise<Cookie> {
    const key = `${role} ${event_id}`
    const cookie = this.#cookies.get(key) ?? this.#signIn(role, event_id)
    this.#cookies.set(key, cookie)
    return cookie
  }

  /** Opens a place in the console in a browser of its own, signed in as an owner unless another role is named. */
  async open(place = '', { role = 'owner', event_id, ...options }: BrowserContextOptions & Who = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport, locale: 'en-GB', ...options })
    this.#contexts.push(context)
    // The machine may be busy.
    context.setDefaultTimeout(90_000)
    if (role !== null) await context.addCookies([await this.cookieOf(role, event_id)])
    const page = await context.newPage()
    await page.goto(this.at(place))
    return page
  }

  /** The address of a place in the console. */
  at(place: string): string {
    return `${this.#system.url}/console/${place && `#/${place}`}`
  }

  async closePages(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close()
  }

  async close(): Promise<void> {
    await this.#browser.close()
  }

  async #signIn(role: string, event_id: string | null): Promise<Cookie> {
    const visitor = await StaffVisitor.of(this.#system, this.#system, { role, event_id })
    const value = (await visitor.cookie()) ?? ''
    return { name: SESSION_COOKIE, value, url: `${this.#system.url}/console/`, httpOnly: true }
  }
}
