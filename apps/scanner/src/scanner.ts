import { Knowledge } from './knowledge/knowledge.ts'
import { Uploader } from './queue/uploader.ts'
import { Gate } from './scanning/gate.ts'
import { type Outcome, outcomeOf, signalOf } from './scanning/outcome.ts'
import type { Scan } from './scanning/scan.ts'
import { Clock } from './server/clock.ts'
import { exchange } from './server/enrolment.ts'
import { Link } from './server/link.ts'
import { type KnownGuest, type Point, Server } from './server/server.ts'
import { give } from './signals/signals.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { loadDevice, saveDevice } from './storage/device.ts'
import type { Device } from './storage/kept.ts'
import { ScanStore } from './storage/scans.ts'

/** What scans with a device: it ends when the device is revoked or enrolled again. */
interface Work {
  server: Server
  link: Link
  gate: Gate
  knowledge: Knowledge
}

/** The app without its looks: who this device is, what it scans, and what has become of it. */
export class Scanner {
  /** Who this device is; undefined until it is enrolled. */
  device: Device | undefined
  /** What the steward sees. */
  outcome: Outcome | undefined
  /** How many scans of this device the server does not have yet. */
  waiting = 0
  /** How many scans wait which were made here under other devices' codes, which alone can send them. */
  waitingOfOthers = 0
  /** The scans of which the server says something else. */
  refused: Scan[] = []

  readonly #database: Database
  readonly #store: ScanStore
  readonly #changed: () => void
  #work: Work | undefined

  private constructor(database: Database, device: Device | undefined, changed: () => void) {
    this.#database = database
    this.#store = new ScanStore(database)
    this.device = device
    this.#changed = changed
  }

  /** Opens what is on this device. `changed` is called after whatever there is to see has changed. */
  static async open(changed: () => void): Promise<Scanner> {
    const database = await openDatabase()
    const scanner = new Scanner(database, await loadDevice(database), changed)
    await scanner.#count()
    scanner.#begin()
    return scanner
  }

  /** Whether the server answers in time. */
  get isUp(): boolean {
    return this.#work?.link.isUp ?? false
  }

  /** Makes this the device of a code. */
  async enrol(code: string, key: string): Promise<void> {
    const askedAt = Date.now()
    const { server_time, ...device } = await exchange(code, key)
    const clock = new Clock(0)
    clock.learn(server_time, askedAt)
    await this.#end()
    if (this.device?._id !== device._id) await this.#store.forgetJudged()
    await navigator.storage.persist().catch(() => false)
    await this.#become({ ...device, event_title: '', accesspoint: null, clock_offset: clock.offset })
    this.#begin()
    await this.#count()
  }

  /** The check-in points among which to choose. */
  async points(): Promise<Point[]> {
    return (await this.#work?.server.points()) ?? []
  }

  /** Scans at a check-in point from now on; at none until one is chosen. */
  async moveTo(accesspoint: Point | null): Promise<void> {
    this.outcome = undefined
    await this.#become({ ...this.#enrolled(), accesspoint })
  }

  /** Scans a code. */
  async scan(content: string): Promise<void> {
    const { accesspoint } = this.#enrolled()
    if (accesspoint) await this.#work?.gate.scan(content, accesspoint._id)
  }

  /** Guests whose names begin with these words. */
  async search(words: string): Promise<KnownGuest[]> {
    return (await this.#work?.server.search(words)) ?? []
  }

  /** The scans which wait and which no device here can send any more: those of this one too, if it is revoked. */
  stranded(): Promise<Scan[]> {
    return this.#store.waitingOfOthers(this.device?.token ? this.device._id : undefined)
  }

  #enrolled(): Device {
    if (!this.device) throw new Error('This device is not enrolled')
    return this.device
  }

  /** Begins to work as the device, if it has a token. */
  #begin(): void {
    const { device } = this
    if (!device?.token) return
    const { _id: device_id } = device
    const store = this.#store
    const clock = new Clock(device.clock_offset)
    const server = new Server(location.origin, device.token, device.event_id, () => void this.#revoke())
    const link = new Link(
      () => this.#contact(server, clock),
      () => {
        this.#changed()
        if (!link.isUp) return
        void uploader.run()
        // What fails is asked for at the next contact.
        knowledge.update().catch(() => {})
      },
    )
    const knowledge = new Knowledge({ event_id: device.event_id, database: this.#database, store, server })
    void knowledge.load()
    const gate = new Gate({
      device_id,
      event_id: device.event_id,
      store,
      knowledge,
      server,
      link,
      clock,
      show: (outcome) => this.#show(outcome),
      settled: () => {
        void this.#count()
        if (link.isUp) void uploader.run()
      },
    })
    const uploader = new Uploader({
      device_id,
      store,
      server,
      asking: gate.asking,
      ended: (scans) => this.#ended(scans),
    })
    this.#work = { server, link, gate, knowledge }
    link.start()
  }

  /** Stops working as the device, and forgets what it knew. */
  async #end(): Promise<void> {
    const { link, knowledge } = this.#work ?? {}
    this.#work = undefined
    link?.stop()
    await knowledge?.forget()
  }

  /** Tells the server how this device is, and learns what the organizer has changed and how late it is. */
  async #contact(server: Server, clock: Clock): Promise<void> {
    const askedAt = Date.now()
    const { server_time, name, accesspoint_ids } = await server.heartbeat(this.waiting)
    if (this.#work?.server !== server) return
    const isLate = clock.learn(server_time, askedAt)
    const device = this.#enrolled()
    const arePointsSame = String(device.accesspoint_ids) === String(accesspoint_ids)
    // Differences say nothing of the past at points which are new.
    if (!arePointsSame) await this.#work?.knowledge.forget()
    if (!isLate && arePointsSame && device.name === name && device.event_title !== '') return
    const event_title = device.event_title || (await server.eventTitle())
    await this.#become({ ...this.#enrolled(), name, accesspoint_ids, event_title, clock_offset: clock.offset })
  }

  /** The organizer has revoked the device: what it knows is wiped, but not the scans which the server does not have. */
  async #revoke(): Promise<void> {
    if (!this.device?.token) return
    this.outcome = undefined
    await this.#become({ ...this.device, token: null, accesspoint: null })
    await Promise.all([this.#end(), this.#store.forgetJudged()])
    await this.#count()
  }

  async #become(device: Device): Promise<void> {
    this.device = device
    await saveDevice(this.#database, device)
    this.#changed()
  }

  #show(outcome: Outcome): void {
    const before = this.outcome
    if (before && before.number > outcome.number) return
    this.outcome = outcome
    // First what is seen: the first sound takes a while.
    this.#changed()
    if (before?.number !== outcome.number || signalOf(before) !== signalOf(outcome)) give(signalOf(outcome))
  }

  /** Scans which waited have come to their end; the one which is shown may be among them. */
  #ended(scans: readonly Scan[]): void {
    const { outcome } = this
    const shown = scans.find(({ sequence }) => sequence === outcome?.sequence)
    if (outcome && shown) this.#show(outcomeOf(outcome.number, shown))
    void this.#count()
  }

  async #count(): Promise<void> {
    const [own, all, refused] = await Promise.all([
      this.#store.countWaiting(this.device?._id ?? ''),
      this.#store.countWaiting(),
      this.#store.refusedOf(this.device?._id ?? ''),
    ])
    Object.assign(this, { waiting: own, waitingOfOthers: all - own, refused })
    this.#changed()
  }
}
