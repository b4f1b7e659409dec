import { type Client, connect } from '../../../../clients/typescript/client.ts'
import type { Send } from '../../../../clients/typescript/retrying.ts'
import type { ServerLead, StoredLead } from '../lead/lead.ts'

/** How long a request may take, with its retries. */
const DEADLINE_MS = 15_000
/** The answer of the server to a token that has ended. */
const ENDED = 401

// The spellings of the paths that take the token, or a code, as a header, so that no log of addresses has it.
const EXCHANGE = '/api/v1/exhibitor_codes/exchange.json' as '/api/v1/exhibitor_codes/{phone_code}/exchange.json'
const LEADS = '/api/v1/devices/connections.json' as '/api/v1/devices/{access_token}/connections.json'
const LEAD =
  '/api/v1/devices/connections/{guest_uid}.json' as '/api/v1/devices/{access_token}/connections/{guest_uid}.json'
const BATCH =
  '/api/v1/devices/connections/batch_create.json' as '/api/v1/devices/{access_token}/connections/batch_create.json'
const DECIPHER = '/api/v1/devices/deciphered_qr_code.json' as '/api/v1/devices/{access_token}/deciphered_qr_code.json'

/** Exchanges a code for the stand and the phone's token. The same `key` gets the same answer, if the first one was lost. */
export async function exchange(code: string, key: string) {
  const client = connect({ url: location.origin, token: code, deadlineMs: DEADLINE_MS })
  const { data } = await client.POST(EXCHANGE, {
    params: { path: { phone_code: code }, header: { 'Idempotency-Key': key } },
  })
  return data
}

/** The server, as this phone asks it. */
export class ServerClient {
  readonly #client: Client
  /** In the header of each request in place of the path. */
  readonly #access_token: string

  constructor(url: string, access_token: string, onEnded: () => void) {
    const ask: Send = async (request, init) => {
      const answer = await fetch(request, init)
      if (answer.status === ENDED) onEnded()
      return answer
    }
    this.#access_token = access_token
    this.#client = connect({ url, token: access_token, deadlineMs: DEADLINE_MS, fetch: ask })
  }

  /** The stand's leads: all of them, or what is new since a time. */
  async leads(since: string | undefined): Promise<ServerLead[]> {
    const { data } = await this.#client.GET(LEADS, {
      params: { path: { access_token: this.#access_token }, query: since === undefined ? {} : { since } },
    })
    return data
  }

  /** Sends leads. Each may be sent as often as needed. Returns why the server does not take it of each, null if it does. */
  async create(leads: readonly StoredLead[]): Promise<(string | null)[]> {
    const { data } = await this.#client.POST(BATCH, {
      params: { path: { access_token: this.#access_token } },
      body: leads.map(({ guest_uid, author }) => ({ guest_uid: guest_uid ?? '', author })),
    })
    return data.map((item) => ('errors' in item ? Object.values(item.errors).flat().join('; ') : null))
  }

  /** Sends a change of a lead. It may be sent as often as needed. */
  async change({ guest_uid, note, rating, revision }: StoredLead): Promise<ServerLead> {
    const { data } = await this.#client.PUT(LEAD, {
      params: { path: { access_token: this.#access_token, guest_uid: guest_uid ?? '' } },
      body: { note, rating, revision },
    })
    return data
  }

  /** What a ciphered code says. */
  async decipher(content: string): Promise<string> {
    const { data } = await this.#client.GET(DECIPHER, {
      params: { path: { access_token: this.#access_token }, query: { content } },
    })
    return data.content ?? ''
  }
}
