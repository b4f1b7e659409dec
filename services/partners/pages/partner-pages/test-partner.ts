import { BrowserSession, type Seen } from '@gatehouse/test/harness/browser-session.ts'
import type { TestCampaign } from '../../testing/test-campaign.ts'

/** A partner on the pages of its campaign, for tests. */
export class TestPartner {
  readonly session: BrowserSession
  /** The overview's address. */
  readonly home: string

  private constructor(session: BrowserSession, home: string) {
    this.session = session
    this.home = home
  }

  /** Opens the link of a campaign. */
  static async enter(campaign: TestCampaign, headers: Record<string, string> = {}): Promise<TestPartner> {
    const session = new BrowserSession(campaign.system.url, headers)
    const { url } = await session.open(campaign.page)
    return new TestPartner(session, url)
  }

  /** Opens a page below the overview. */
  open(path = ''): Promise<Seen> {
    return this.session.open(this.home + path)
  }

  /** The token of the forms. */
  async csrf(): Promise<string> {
    return /name="csrf" value="([^"]+)"/.exec((await this.open('/new')).text)?.[1] ?? ''
  }

  /** Sends the form for recipients: pasted ones, or a file. */
  async give(content: string | Uint8Array<ArrayBuffer>, { csrf = '' } = {}): Promise<Seen> {
    const body = new FormData()
    body.set('csrf', csrf || (await this.csrf()))
    if (typeof content === 'string') body.set('addresses', content)
    else body.set('file', new Blob([content]), 'list.csv')
    return this.session.open(`${this.home}/new`, { method: 'POST', body })
  }

  /** Sends what was checked. */
  send(checked: Seen): Promise<Seen> {
    return this.session.submit(checked, {})
  }
}

/** The numbers that a page shows, by their English names. */
export function numbersOf({ text }: Seen): Record<string, number> {
  const pairs = [...text.matchAll(/<dt>([^<]+)<\/dt><dd>(\d+)<\/dd>/g)]
  return Object.fromEntries(pairs.map(([, name = '', value]) => [name, Number(value)]))
}

/** The entries of the list below a heading of a page; none if there is no such list. */
export function listOf({ text }: Seen, heading: string): string[] {
  const [, below = ''] = text.split(`<h2>${heading}</h2>`)
  const [list = ''] = below.split('</ul>', 1)
  return [...list.matchAll(/<li>(.*?)<\/li>/g)].map(([, entry = '']) => entry)
}
