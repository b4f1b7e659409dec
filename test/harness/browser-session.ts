import { CookieJar } from 'tough-cookie'

/** A page that a visitor opened. */
export interface Seen {
  url: string
  status: number
  headers: Headers
  text: string
}

/** A browser for tests, which keeps cookies, follows redirects within the provider, and submits forms. */
export class BrowserSession {
  readonly jar = new CookieJar(undefined, { prefixSecurity: 'strict' })
  readonly #origin: string
  readonly #headers: Record<string, string>
  readonly #via: (url: string) => string

  /** Redirects are followed only within `origin`. `via` maps an address to the one that is really requested. */
  constructor(origin: string, headers: Record<string, string> = {}, via = (url: string): string => url) {
    this.#via = via
    this.#origin = origin
    this.#headers = headers
  }

  /** Sends one request without following redirects. */
  async request(url: string, init: RequestInit = {}): Promise<Seen> {
    const cookie = await this.jar.getCookieString(url)
    const headers = new Headers({
      accept: 'text/html,application/xhtml+xml',
      ...this.#headers,
      ...(cookie && { cookie }),
    })
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    const response = await fetch(this.#via(url), { ...init, headers, redirect: 'manual' })
    for (const each of response.headers.getSetCookie()) await this.jar.setCookie(each, url)
    return { url, status: response.status, headers: response.headers, text: await response.text() }
  }

  /** Opens a page. If redirects lead away from the provider, `url` is that address and there is no page. */
  async open(url: string, init: RequestInit = {}): Promise<Seen> {
    let seen = await this.request(url, init)
    for (let hops = 0; hops < 10; hops++) {
      const location = seen.headers.get('location')
      if (!location) return seen
      const next = new URL(location, seen.url).href
      if (!next.startsWith(this.#origin)) return { ...seen, url: next }
      seen = await this.request(next)
    }
    throw new Error(`Too many redirects, last at ${seen.url}`)
  }

  /** Submits the form of a page with its hidden fields and `fields`. */
  async submit(page: Seen, fields: Record<string, string>): Promise<Seen> {
    const form = /<form[^>]*action="([^"]+)"/.exec(page.text)?.[1]
    if (!form) throw new Error(`No form in ${page.status} ${page.url}: ${page.text.slice(0, 2_000)}`)
    const hidden = [...page.text.matchAll(/<input type="hidden" name="([^"]+)"[^>]*? value="([^"]*)"/g)]
    const body = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, unescaped(value)]))
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    return this.open(new URL(unescaped(form), page.url).href, { method: 'POST', body })
  }
}

/** The text that is escaped in HTML. */
export function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
