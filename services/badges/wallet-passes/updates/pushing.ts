import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { PassContents } from '../contents.ts'
import type { Apns } from './apns.ts'
import type { GoogleUpdates } from './google-updates.ts'
import type { HeldPass, HeldPassStore } from './store.ts'

const EVERY_MS = 2_000
const IDLE_MS = 30_000
/** The pause after a failed attempt doubles from the first to the longest. */
const FIRST_RETRY_MS = 10_000
const LONGEST_RETRY_MS = 3_600_000
/** After so many attempts nobody is told any more; the device learns of the change when its owner looks. */
const MAX_ATTEMPTS = 12

interface PushingOptions {
  store: HeldPassStore
  passContents: PassContents
  apns: Apns | undefined
  google: GoogleUpdates | undefined
  log: Log
}

/** Tells devices, and Google Wallet, of changed passes, one pass after the other. What is to be told is stored, so none is lost in a crash. */
export class Pushing {
  readonly #store: HeldPassStore
  readonly #options: PushingOptions
  readonly #poller: Poller

  constructor(options: PushingOptions) {
    const { store, log } = options
    this.#options = options
    this.#store = store
    this.#poller = new Poller({
      everyMs: EVERY_MS,
      idleMs: IDLE_MS,
      look: (signal) => this.#pushDue(signal),
      onError: (error) => log.warn({ err: error }, 'looking for changed wallet passes failed; retrying'),
    })
  }

  /** Looks for changed passes at once, and from then on. */
  wake(): void {
    this.#poller.wake()
  }

  async stop(): Promise<void> {
    await this.#poller.stop()
    this.#options.apns?.close()
  }

  async #pushDue(signal: AbortSignal): Promise<boolean> {
    let hasFound = false
    while (!signal.aborted) {
      const pass = await this.#store.takeDue()
      if (!pass) break
      hasFound = true
      await this.#push(pass)
    }
    return hasFound
  }

  async #push(pass: HeldPass): Promise<void> {
    const done = await Promise.all([this.#tellDevices(pass), this.#tellGoogle(pass)])
    const { attempts = 1 } = pass
    if (!done.includes(false)) return this.#store.told(pass)
    if (attempts >= MAX_ATTEMPTS) {
      this.#options.log.warn({ event_id: pass.event_id }, 'devices were not told of a changed wallet pass')
      return this.#store.told(pass)
    }
    return this.#store.postpone(pass, Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS))
  }

  /** Whether all devices of a pass are told. */
  async #tellDevices(pass: HeldPass): Promise<boolean> {
    const { apns } = this.#options
    if (!apns) return true
    const devices = await this.#store.devicesOf(pass)
    const outcomes = await Promise.all(devices.map(({ push_token }) => apns.push(push_token)))
    await this.#store.forget(devices.flatMap(({ _id }, index) => (outcomes[index] === 'gone' ? [_id] : [])))
    return !outcomes.includes('failed')
  }

  /** Whether Google Wallet has what a pass says, if it may be saved there. */
  async #tellGoogle(pass: HeldPass): Promise<boolean> {
    const { google, passContents } = this.#options
    if (!google || !pass.google) return true
    return google.update(pass.guest_id, await passContents.get(pass))
  }
}
