import { type Client, connect } from '../../../../clients/typescript/client.ts'
import type { Send } from '../../../../clients/typescript/retrying.ts'
import { type Badge, type BadgePicture, type Entry, sizeOf } from '../printing/print.ts'

// The build puts it in: a hash of the app's sources.
declare const __VERSION__: string

const DEADLINE_MS = 15_000
const REVOKED = 401
const NOT_FOUND = 404
/** Scans without a network arrive late: so long after their stamps they are still looked for. */
const LOOK_BACK_MS = 2 * 3_600_000
const PER_PAGE = 500

/** The server, as this station asks it. */
export class ServerClient {
  readonly #client: Client
  readonly #path: { event_id: string }
  #categories: Promise<Map<string, { name: string; hasBadge: boolean }>> | undefined

  constructor(url: string, token: string, event_id: string, onRevoked: () => void) {
    const ask: Send = async (request, init) => {
      const answer = await fetch(request, init)
      if (answer.status === REVOKED) onRevoked()
      return answer
    }
    this.#client = connect({ url, token, deadlineMs: DEADLINE_MS, fetch: ask })
    this.#path = { event_id }
  }

  /** Tells the server how the station is, and returns its time. */
  async heartbeat(queue_length: number): Promise<string> {
    const { data } = await this.#client.PUT('/api/v1/devices/heartbeat.json', {
      body: { queue_length, app_version: __VERSION__ },
    })
    return data.server_time
  }

  /** The guests who were let in at the station's check-in points lately, but not before `since`. */
  async entries(since: string, now: string): Promise<Entry[]> {
    const from = new Date(Math.max(Date.parse(since), Date.parse(now) - LOOK_BACK_MS)).toISOString()
    const found: Entry[] = []
    for (let page = 1; ; page++) {
      const { data } = await this.#client.GET('/api/v1/events/{event_id}/access_controls.json', {
        params: { path: this.#path, query: { since: from, access_status: 0, page, per_page: PER_PAGE } },
      })
      // Coming out is no reason for a badge.
      found.push(...data.filter((each) => (each as { direction?: string | null }).direction !== 'out'))
      if (data.length < PER_PAGE) return found
    }
  }

  /** What the badge of a guest shows; undefined if there is no such guest any more, or, where `waits`, while the badge is being made. */
  async badge(guest_uid: string, waits: boolean): Promise<Badge | undefined> {
    const query = { uid: guest_uid, per_page: 1, qrcode_url: true, badge_url: true }
    const [{ data }, categories] = await Promise.all([
      this.#client.GET('/api/v1/events/{event_id}/guests.json', { params: { path: this.#path, query } }),
      this.#categoriesOf(),
    ])
    const [guest] = data
    if (!guest) return undefined
    const { first_name, last_name, company_name, position, guest_category_id, qrcode_url, badge_url } = guest
    const category = categories.get(guest_category_id)
    if (waits && category?.hasBadge && !badge_url) return undefined
    return {
      guest_uid,
      name: [first_name, last_name].filter(Boolean).join(' ') || guest_uid,
      company: company_name,
      position,
      category: category?.name ?? null,
      qr_code: pathOf(qrcode_url ?? '').replace(/\.png$/, '.svg'),
      picture: category?.hasBadge && badge_url ? await this.#picture(badge_url) : undefined,
    }
  }

  /** The badge behind a public link as a picture; undefined if there is none any more. */
  async #picture(badge_url: string): Promise<BadgePicture | undefined> {
    const address = pathOf(badge_url).replace(/\.pdf$/, '/file.svg')
    const answer = await fetch(address, { signal: AbortSignal.timeout(DEADLINE_MS) })
    if (answer.status === NOT_FOUND) return undefined
    if (!answer.ok) throw new Error(`The badge cannot be read: ${answer.status}`)
    return { address, ...sizeOf(await answer.text()) }
  }

  #categoriesOf(): Promise<Map<string, { name: string; hasBadge: boolean }>> {
    this.#categories ??= this.#client
      .GET('/api/v1/events/{event_id}/guest_categories.json', { params: { path: this.#path } })
      .then(
        ({ data }) => new Map(data.map(({ _id, name, badge_enabled }) => [_id, { name, hasBadge: badge_enabled }])),
        (error: unknown) => {
          this.#categories = undefined
          throw error
        },
      )
    return this.#categories
  }
}

/** The path of a public link. The page takes pictures of its own origin only, whatever address the server names. */
function pathOf(link: string): string {
  return new URL(link, location.origin).pathname.replace(/^.*(?=\/api\/v1\/)/, '')
}
