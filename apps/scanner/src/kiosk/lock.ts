import type { StoredDevice } from '../storage/database.ts'
import type { DeviceChanges } from '../storage/device.ts'
import { isRight, readPin, type StoredPin, storedPin, waitOf, withWrongEntry } from './pin.ts'

interface LockOptions {
  device: () => StoredDevice | undefined
  /** Stores changes of the device, and draws the app again. */
  change: (changes: DeviceChanges) => Promise<void>
}

/**
 * The PIN of this device, and kiosk mode, which only the PIN ends. Both are part of the stored device: they outlast the app, and end when the
 * device is enrolled anew.
 */
export class Lock {
  readonly #options: LockOptions
  #isOpen = false

  constructor(options: LockOptions) {
    this.#options = options
  }

  /** Whether this device has a PIN. */
  get isSet(): boolean {
    return this.#pin !== undefined
  }

  /** Whether the PIN has to be entered first. */
  get isShut(): boolean {
    return this.isSet && !this.#isOpen
  }

  /** Whether guests check themselves in here. */
  get isKiosk(): boolean {
    return this.#options.device()?.is_kiosk === true
  }

  /** How long the next entry has to wait, in ms. */
  wait(now = Date.now()): number {
    return this.#pin ? waitOf(this.#pin, now) : 0
  }

  /** Opens the lock if this is the PIN. An entry counts as wrong before it is compared: closing the app meanwhile does not save it. */
  async enter(typed: string, now = Date.now()): Promise<boolean> {
    let asked: StoredPin | undefined
    await this.#options.change(({ pin }) => {
      if (!pin || waitOf(pin, now) > 0) return {}
      asked = pin
      return { pin: withWrongEntry(pin, now) }
    })
    const read = readPin(typed)
    if (!asked || read === undefined || !(await isRight(read, asked))) return false
    this.#isOpen = true
    await this.#options.change(({ pin }) => (pin ? { pin: { ...pin, wrong: 0, waits_until: 0 } } : {}))
    return true
  }

  /** Asks for the PIN again from now on. */
  shut(): void {
    this.#isOpen = false
  }

  /** Sets the PIN, or another one. Whoever does so need not enter it at once. */
  async set(pin: string): Promise<void> {
    const stored = await storedPin(pin)
    this.#isOpen = true
    await this.#options.change({ pin: stored })
  }

  /** Removes the PIN. */
  remove(): Promise<void> {
    return this.#options.change({ pin: undefined })
  }

  /** Begins kiosk mode. */
  startKiosk(): Promise<void> {
    this.shut()
    return this.#options.change({ is_kiosk: true })
  }

  /** Ends kiosk mode, once the lock is open. */
  async endKiosk(): Promise<void> {
    if (!this.isShut) await this.#options.change({ is_kiosk: undefined })
  }

  get #pin(): StoredPin | undefined {
    return this.#options.device()?.pin
  }
}
