import { exchange } from '../../shared/src/server/enrolment.ts'
import { Reachability } from '../../shared/src/server/reachability.ts'
import { setPaper } from './printing/paper.ts'
import { type Badge, type Entry, newOnes, type StoredPrint } from './printing/print.ts'
import { printPage } from './printing/printer.ts'
import { ServerClient } from './server/server.ts'
import { openDatabase, type StoredStation } from './storage/database.ts'
import { PrintStore } from './storage/prints.ts'

/** How often the station looks for guests who were let in. */
const LOOK_EVERY_MS = 3_000
/** A badge that is still being made so long after its guest came in is printed as the station draws it. */
const AWAITED_MS = 60_000

interface Work {
  server: ServerClient
  reachability: Reachability
  timer: ReturnType<typeof setTimeout> | undefined
}

/** The print station without its looks: what it prints, and what it has printed. */
export class Station {
  /** Who this station is; undefined until it is set up. */
  station: StoredStation | undefined
  /** The badges it knows of, the latest entry first. */
  prints: StoredPrint[] = []
  /** The badge on the page, which is printed next. */
  badge: Badge | undefined
  /** Nothing is printed by itself until someone has looked after the printer. */
  isHalted = false

  readonly #store: PrintStore
  readonly #changed: () => void
  #work: Work | undefined
  #printing: Promise<unknown> = Promise.resolve()

  private constructor(store: PrintStore, changed: () => void) {
    this.#store = store
    this.#changed = changed
  }

  /** Opens what is on this station. `changed` is called after whatever there is to see has changed. */
  static async open(changed: () => void): Promise<Station> {
    const station = new Station(new PrintStore(await openDatabase()), changed)
    await station.#start(await station.#store.station())
    return station
  }

  /** Whether the server answers in time. */
  get isUp(): boolean {
    return this.#work?.reachability.isUp ?? false
  }

  /** Makes this the station of a device's code. */
  async enrol(code: string, key: string): Promise<void> {
    const { _id, name, event_id, token, server_time } = await exchange(code, key)
    this.#end()
    await navigator.storage.persist().catch(() => false)
    await this.#start(await this.#store.setUp({ _id, name, event_id, token, since: server_time }))
  }

  /** Prints a badge once more. */
  async printAgain(print: StoredPrint): Promise<void> {
    await this.#inTurn(() => this.#print(print, true))
  }

  /** Prints a badge of nobody, which shows whether the printer works and the paper fits. It is in no list. */
  async printTest(name: string): Promise<void> {
    const nobody = { guest_uid: '', company: null, position: null, category: null, qr_code: undefined }
    await this.#inTurn(() => this.#given({ ...nobody, name, picture: undefined }))
  }

  /** Goes on after someone has looked after the printer. */
  resume(): void {
    this.isHalted = false
    this.#changed()
    this.#lookIn(0)
  }

  async #start(station: StoredStation | undefined): Promise<void> {
    this.station = station
    await this.#load()
    if (!station?.token) return
    const { token, event_id } = station
    const server = new ServerClient(location.origin, token, event_id, () => void this.#revoke(token))
    const reachability = new Reachability(
      () => server.heartbeat(0),
      () => this.#changed(),
      () => {},
    )
    this.#work = { server, reachability, timer: undefined }
    // A badge of which nobody knows whether it came out is for someone to look after: printed by itself it might be the second one.
    for (const { guest_uid, state } of this.prints)
      if (state === 'printing') await this.#store.conclude(guest_uid, 'failed')
    await this.#load()
    reachability.start()
    this.#lookIn(0)
  }

  #end(): void {
    this.#work?.reachability.stop()
    clearTimeout(this.#work?.timer)
    this.#work = undefined
  }

  async #revoke(token: string): Promise<void> {
    if (this.station?.token !== token) return
    this.#end()
    await this.#store.revoke(token)
    await this.#start(await this.#store.station())
  }

  #lookIn(ms: number): void {
    const work = this.#work
    if (!work) return
    clearTimeout(work.timer)
    work.timer = setTimeout(() => {
      this.#look(work)
        .catch(() => {})
        .finally(() => this.#work === work && this.#lookIn(LOOK_EVERY_MS))
    }, ms)
  }

  /** Prints the badges of guests who were let in since the last look. One window of the app does. */
  async #look({ server }: Work): Promise<void> {
    const { station } = this
    if (!station || this.isHalted) return
    await navigator.locks.request('print', { ifAvailable: true }, async (lock) => {
      if (!lock) return
      const entries = await server.entries(station.since, await server.heartbeat(0))
      const known = new Set((await this.#store.all()).map(({ guest_uid }) => guest_uid))
      for (const entry of newOnes(entries, known, station.since)) {
        if (this.isHalted || this.station !== station) return
        await this.#inTurn(() => this.#print(entry, false))
      }
    })
  }

  async #print(entry: Entry, isAgain: boolean): Promise<void> {
    const { server } = this.#work ?? {}
    const { guest_uid } = entry
    // Read before it is taken: while the server does not answer the badge waits.
    const isFresh = Math.abs(Date.now() - Date.parse(entry.access_stamp)) < AWAITED_MS
    const badge = await server?.badge(guest_uid, isFresh && !isAgain)
    if (!badge || !(await this.#store.claim(entry, badge.name, isAgain))) return
    await this.#load()
    await this.#store.conclude(guest_uid, (await this.#given(badge)) ? 'printed' : 'failed')
    await this.#load()
  }

  /** Gives a badge to the printer. Returns whether that went well; if not, nothing is printed by itself any more. */
  async #given(badge: Badge): Promise<boolean> {
    this.badge = badge
    this.#changed()
    try {
      setPaper(badge.picture)
      await shown(badge)
      await printPage()
      return true
    } catch {
      this.isHalted = true
      return false
    } finally {
      this.badge = undefined
      this.#changed()
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#printing.then(work)
    this.#printing = done.catch(() => {})
    return done
  }

  async #load(): Promise<void> {
    this.prints = await this.#store.all()
    this.#changed()
  }
}

/** Waits until the pictures of a badge are there: a page that is printed before has none. */
async function shown({ qr_code, picture }: Badge): Promise<void> {
  const address = picture?.address ?? qr_code
  if (address) await Object.assign(new Image(), { src: address }).decode()
  // The page draws the badge with the next picture.
  await new Promise((resolve) => setTimeout(resolve, 100))
}
