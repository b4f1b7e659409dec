import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@gatehouse/cli/demo/random.ts'
import { type Listening, listen } from '@gatehouse/test/harness/listening.ts'
import type { Weather } from './attempts.ts'

/** The share of requests that are lost. */
const LOST_SHARE = 0.3
/** Of those that are lost: the request itself, rather than its answer. */
const REQUEST_SHARE = 0.5
/** Of those that are lost: without a sign, rather than by a closed connection. */
const SILENT_SHARE = 0.5
/** Of those that are not lost: slow ones. */
const SLOW_SHARE = 0.3
const SLOW_MS = 5_000
const QUICK_MS = 200
/** Between two cuts there is a network for at most this many times as long as a cut. */
const MOST_UP = 2

/**
 * The network of one phone: a proxy to the gateways, each request to any of them. While it is bad it loses requests or their answers, delays
 * them by up to five seconds, and is cut now and then.
 */
export class BadNetwork {
  readonly weather: Weather = { requests: 0, lost: 0, slow: 0, cuts: 0 }
  readonly #gateways: readonly string[]
  readonly #chance: Random
  readonly #server: Server
  #listening: Listening | undefined
  readonly #ending = new AbortController()
  #isBad = false
  #isCut = false

  constructor(gateways: readonly string[], chance: Random) {
    this.#gateways = gateways
    this.#chance = chance
    this.#server = createServer((asked, answer) => {
      this.#pass(asked, answer).catch(() => asked.socket.destroy())
    })
    this.#server.on('connection', (socket) => {
      if (this.#isCut) socket.destroy()
    })
  }

  /** Returns the address at which the phone finds the gateways. */
  async start(): Promise<string> {
    this.#listening = await listen(this.#server)
    return `http://${this.#listening.host}`
  }

  /** Is bad until `stop`, with cuts of up to `cutMs`; resolves when all is well again. */
  async beBad(cutMs: number, stop: AbortSignal): Promise<void> {
    this.#isBad = true
    const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: stop }).catch(() => {})
    while (!stop.aborted) {
      await pause(this.#chance.between(0.2, MOST_UP) * cutMs)
      if (stop.aborted) break
      this.weather.cuts++
      this.#isCut = true
      this.#listening?.drop()
      await pause(this.#chance.between(0.5, 1) * cutMs)
      this.#isCut = false
    }
    this.#isBad = false
    // What was lost without a sign would be waited for.
    this.#listening?.drop()
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    await this.#listening?.close()
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chance = this.#chance
    this.weather.requests++
    const isLost = this.#isBad && chance.chance(LOST_SHARE)
    const isRequestLost = isLost && chance.chance(REQUEST_SHARE)
    const isSilent = chance.chance(SILENT_SHARE)
    const delay = this.#isBad ? this.#delay() : 0
    const before = delay * chance.next()
    const gateway = chance.pick(this.#gateways)
    const body = await buffer(asked)
    const lose = (): void => {
      this.weather.lost++
      // Otherwise the phone finds out by itself.
      if (!isSilent) asked.socket.destroy()
    }
    await this.#wait(before)
    if (isRequestLost) return lose()
    const answered = await ask(gateway, asked, body)
    if (isLost) return lose()
    await this.#wait(delay - before)
    answer.writeHead(answered.status, answered.headers).end(answered.body)
  }

  #delay(): number {
    if (!this.#chance.chance(SLOW_SHARE)) return this.#chance.next() * QUICK_MS
    this.weather.slow++
    return this.#chance.next() * SLOW_MS
  }

  #wait(ms: number): Promise<void> {
    return ms === 0 ? Promise.resolve() : sleep(ms, undefined, { signal: this.#ending.signal })
  }
}

interface GatewayAnswer {
  status: number
  headers: string[]
  body: Buffer
}

/** Sends a request to a gateway, also if its phone has gone meanwhile. */
async function ask(gateway: string, { url, method, headers }: IncomingMessage, body: Buffer): Promise<GatewayAnswer> {
  const sent = request(new URL(url ?? '', gateway), { method: method ?? 'GET', headers })
  sent.end(body)
  const [got] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: got.statusCode ?? 0, headers: got.rawHeaders, body: await buffer(got) }
}
