import * as guestTopics from '@gatehouse/guests/topics'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { Poller } from '@gatehouse/proto/concurrency/poller.ts'
import { unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import type { Log } from '@gatehouse/proto/process/log.ts'
import type { Guests } from '../../guests.ts'
import type { Owner } from '../../owners.ts'
import { type PassContent, passContentOf, versionOf } from '../content.ts'
import type { PassContents } from '../contents.ts'
import type { PassEvents } from '../events.ts'
import type { Pushing } from './pushing.ts'
import { type HeldPass, type HeldPassStore, VOID } from './store.ts'

const PAGE_SIZE = 100
/** How often all passes on devices are compared with what they should say: for changes of events, and for announcements that were missed. */
const SWEEP_EVERY_MS = 900_000
const RETRY_MS = 5_000

interface TrackingOptions {
  store: HeldPassStore
  guests: Guests
  passEvents: PassEvents
  passContents: PassContents
  /** Tells devices; absent where the installation makes no passes, so that none is compared. */
  pushing: Pick<Pushing, 'wake'> | undefined
}

/** Finds out which passes on devices say something that is no longer true: when guests change, and four times an hour. */
export class Tracking {
  readonly #options: TrackingOptions
  #poller: Poller | undefined
  #work: Promise<void> = Promise.resolve()

  constructor(options: TrackingOptions) {
    this.#options = options
  }

  /** Compares passes from now on. */
  start(bus: Bus, log: Log): void {
    const { store, pushing } = this.#options
    bus.listen(guestTopics.changed, ({ event_id, uids }) => {
      if (!pushing) return
      this.#work = this.#work
        .then(async () => this.#compare(event_id, await store.ofUids(event_id, uids)))
        .catch((error) => log.warn({ err: error }, 'comparing wallet passes failed; they are compared again later'))
    })
    if (!pushing) return
    const poller = new Poller({
      everyMs: SWEEP_EVERY_MS,
      look: (signal) => this.#sweep(signal),
      onError: (error) => {
        log.info({ err: error }, 'retrying to compare wallet passes')
        poller.wake(RETRY_MS)
      },
    })
    this.#poller = poller
    poller.wake()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#poller?.stop(), this.#work])
  }

  /** What the pass of a guest says now; undefined if the guest is gone. If devices have it, they are told of a change. */
  async current(owner: Owner): Promise<{ content: PassContent | undefined; updated_at: Date | undefined }> {
    const held = await this.#options.store.get(owner)
    const content = await this.#options.passContents.get(owner)
    if (held) await this.#note(held, content)
    const { updated_at } = (await this.#options.store.get(owner)) ?? {}
    return { content, updated_at }
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    let last: HeldPass | undefined
    do {
      const passes = await this.#options.store.after(last, PAGE_SIZE)
      last = passes.at(-1)
      for (const [event_id, ofEvent] of Map.groupBy(passes, (pass) => pass.event_id))
        await this.#compare(event_id, ofEvent)
    } while (last && !signal.aborted)
  }

  async #compare(event_id: string, passes: HeldPass[]): Promise<void> {
    if (passes.length === 0) return
    const { guests, passEvents } = this.#options
    const [event, ciphering] = await Promise.all([
      unlessRefused(passEvents.get(event_id), 'not_found'),
      guests.ciphering(event_id),
    ])
    // The passes of a deleted event are deleted with it.
    if (!event) return
    await Promise.all(
      passes.map(async (pass) => {
        const guest = await guests.printed(event_id, pass.guest_id)
        await this.#note(pass, guest && passContentOf(event, guest, ciphering), guest?.uid)
      }),
    )
  }

  async #note(pass: HeldPass, content: PassContent | undefined, uid = pass.uid): Promise<void> {
    const version = content ? versionOf(content) : VOID
    if (version === pass.version) return
    if (await this.#options.store.changed(pass, version, content ? uid : '')) this.#options.pushing?.wake()
  }
}
