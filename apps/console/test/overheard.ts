import type { Page } from 'playwright-core'

/** What tokens of the API look like. */
const TOKEN = /gh_[\w-]{20,}/g

/** All that a page is told, and all that its scripts could find. */
export class Overheard {
  readonly #page: Page
  readonly #texts: string[] = []
  readonly #reading: Promise<unknown>[] = []

  private constructor(page: Page) {
    this.#page = page
  }

  /** Listens to a page: to the bodies of its answers, and to what comes by live feeds. */
  static async by(page: Page): Promise<Overheard> {
    const heard = new Overheard(page)
    page.on('response', (response) => {
      // A feed does not end.
      if (response.headers()['content-type']?.startsWith('text/event-stream')) return
      // Redirects have no body, and those of requests that were stopped never came.
      heard.#reading.push(
        response.text().then(
          (text) => heard.#texts.push(text),
          () => {},
        ),
      )
    })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    devtools.on('Network.eventSourceMessageReceived', ({ data }) => heard.#texts.push(data))
    return heard
  }

  /** The tokens of the API that were heard, or which lie where scripts of the page find them. */
  async tokens(): Promise<string[]> {
    await Promise.all(this.#reading)
    const kept = await this.#page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    return [...new Set([...this.#texts, kept].flatMap((text) => text.match(TOKEN) ?? []))]
  }
}
