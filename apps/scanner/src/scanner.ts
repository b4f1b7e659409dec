import { exchange } from '../../shared/src/server/enrolment.ts'
import { Reachability } from '../../shared/src/server/reachability.ts'
import { withinQuota } from '../../shared/src/storage/quota.ts'
import { Lock } from './kiosk/lock.ts'
import { type Lookup, lookUp } from './kiosk/lookup.ts'
import { GuestList, type ListedGuest, type WalkInCategory } from './offline/guest-list.ts'
import { SignatureQueue } from './queue/signature-queue.ts'
import { UndoQueue } from './queue/undo-queue.ts'
import { Uploader } from './queue/uploader.ts'
import { importCodeKey } from './scanning/code-key.ts'
import { type Entry, entriesBefore } from './scanning/entries.ts'
import { mayEnter, outcomeOf, type ScanOutcome, signalOf } from './scanning/outcome.ts'
import { isBoundTo } from './scanning/point.ts'
import { MOST_RECENT, RecentScans } from './scanning/recent-scans.ts'
import type { EarlierEntry, StoredScan } from './scanning/scan.ts'
import { ScanProcessor } from './scanning/scan-processor.ts'
import type { SelfTestResult } from './self-test/result.ts'
import { SelfTest } from './self-test/self-test.ts'
import { Clock } from './server/clock.ts'
import type { Problem } from './server/problems.ts'
import { type AreaUse, type FoundGuest, isFull, type Point, ServerClient } from './server/server.ts'
import { give } from './signals/signals.ts'
import type { Points, StoredSignature } from './signing/signature.ts'
import type { StoredDevice } from './storage/database.ts'
import { type Database, openDatabase } from './storage/database.ts'
import { changeDevice, type DeviceChanges, loadDevice, replaceDevice } from './storage/device.ts'
import { ScanStore } from './storage/scans.ts'
import { loadSettings } from './storage/settings.ts'
import { SignatureStore } from './storage/signatures.ts'
import { continueTicks } from './storage/ticks.ts'

/** What scans with a device: it ends when the device is revoked or enrolled again. */
interface ScanningDependencies {
  server: ServerClient
  reachability: Reachability
  clock: Clock
  processor: ScanProcessor
  uploader: Uploader
  guestList: GuestList
}

/** What a search by name finds: guests with uids from the server, others from the list on this device. */
export type SearchedGuest = FoundGuest | ListedGuest

/** How many guests a search by name shows. */
const MOST_FOUND = 20

/** The app without its looks: who this device is, what it scans, and what has become of it. */
export class Scanner {
  /** Who this device is; undefined until it is enrolled. */
  device: StoredDevice | undefined
  /** What the steward sees. */
  outcome: ScanOutcome | undefined
  /** The last scans, newest first. */
  readonly recent = new RecentScans()
  /** How many scans of this device the server does not have yet, and how many undone ones it still has. */
  waiting = 0
  /** How many scans wait that were made here under other devices' codes, which alone can send them. */
  waitingOfOthers = 0
  /** The scans of which the server says something else. */
  refused: StoredScan[] = []
  /** How many signatures of this device the server does not have yet. */
  waitingSignatures = 0
  /** How many signatures wait that were drawn here under other devices' codes, which alone can send them. */
  waitingSignaturesOfOthers = 0
  /** How full the area of this device's check-in point is, as the server last said; undefined outside areas. */
  area: AreaUse | undefined
  /** The signatures that the server does not take. */
  refusedSignatures: StoredSignature[] = []

  /** What tests this device before an event. */
  readonly selfTest = new SelfTest({
    work: () => this.#work,
    waiting: () => this.waiting + this.waitingSignatures,
    report: (result) => this.#reportTest(result),
  })
  /** The PIN, and kiosk mode. */
  readonly lock = new Lock({ device: () => this.device, change: (changes) => this.#change(changes) })

  readonly #database: Database
  readonly #store: ScanStore
  readonly #signatures: SignatureStore
  readonly #changed: () => void
  #work: ScanningDependencies | undefined

  private constructor(database: Database, changed: () => void) {
    this.#database = database
    this.#store = new ScanStore(database)
    this.#signatures = new SignatureStore(database)
    this.#changed = changed
  }

  /** Opens what is on this device. `changed` is called after whatever there is to see has changed. */
  static async open(changed: () => void): Promise<Scanner> {
    const database = await openDatabase()
    await continueTicks(database)
    const scanner = new Scanner(database, changed)
    await scanner.#start(await loadDevice(database))
    return scanner
  }

  /** Whether the server answers in time. */
  get isUp(): boolean {
    return this.#work?.reachability.isUp ?? false
  }

  /** Makes this the device of a code. */
  async enrol(code: string, key: string): Promise<void> {
    const askedAt = Date.now()
    const { server_time, ...device } = await exchange(code, key)
    const clock = new Clock(0)
    clock.learn(server_time, askedAt)
    this.#end()
    if (this.device?._id !== device._id) await this.#store.forgetJudged()
    await navigator.storage.persist().catch(() => false)
    const enrolled = { ...device, event_title: '', accesspoint: null, clock_offset: clock.offset, is_untried: true }
    await replaceDevice(this.#database, enrolled)
    await this.#start(enrolled)
  }

  /** The check-in points among which to choose. */
  async points(): Promise<Point[]> {
    return (await this.#work?.server.points()) ?? []
  }

  /** Scans at a check-in point from now on; at none until one is chosen. */
  async moveTo(accesspoint: Point | null): Promise<void> {
    this.outcome = undefined
    this.area = undefined
    await this.#change({ accesspoint })
    void this.#learnArea()
  }

  /** Scans a code, or the likeliest of several readings of it. Of a party, asks how many come in unless `persons` says so. */
  async scan(scanned: string | readonly string[], persons?: number): Promise<void> {
    const { accesspoint } = this.#enrolled()
    if (accesspoint) await this.#work?.processor.scan(scanned, accesspoint._id, persons)
  }

  /** Lets in as many persons of a party that was scanned. */
  async letIn(scanned: string | ListedGuest, persons: number): Promise<void> {
    if (typeof scanned === 'string') return this.scan(scanned, persons)
    const { accesspoint } = this.#enrolled()
    if (accesspoint) await this.#work?.processor.scanListed(scanned, accesspoint._id, persons)
  }

  /** Keeps what a guest has drawn, and sends it. Throws `StorageFull`. */
  async sign(guest_uid: string, name: string | null, points: Points): Promise<void> {
    const { accesspoint, _id: device_id } = this.#enrolled()
    const { clock, uploader, reachability } = this.#work ?? {}
    if (!accesspoint || !clock) return
    const access_stamp = clock.now().toISOString()
    const at = { device_id, accesspoint_id: accesspoint._id, guest_uid, access_stamp }
    await this.#signatures.add({ ...at, points, state: 'waiting', problem: null, name })
    await this.#count()
    if (reachability?.isUp) void uploader?.run()
  }

  /** Guests whose names begin with these words: the server's, or those of the list on this device where the server does not answer. */
  async search(words: string): Promise<SearchedGuest[]> {
    const { server, guestList, reachability } = this.#work ?? {}
    const answer = reachability?.isUp ? await server?.search(words, MOST_FOUND).catch(() => undefined) : undefined
    return answer ?? (await guestList?.search(words, MOST_FOUND)) ?? []
  }

  /** Checks in the one guest with this last name and e-mail address, unless who has typed them has left by the time the server answers. */
  async checkInNamed(
    last_name: string,
    email: string,
    hasLeft: () => boolean,
  ): Promise<'found' | Exclude<Lookup, object>> {
    const { server, reachability } = this.#work ?? {}
    if (!server) return 'away'
    const found = await lookUp((words, most) => server.guestsWith(words, most), last_name, email)
    if (found === 'away') reachability?.lose()
    if (typeof found === 'string') return found
    if (!hasLeft()) await this.scan(found.uid)
    return 'found'
  }

  /** Forgets what the last scan has shown. */
  forgetOutcome(): void {
    this.outcome = undefined
    this.#changed()
  }

  /** Checks in a guest who was found by name. */
  async checkIn(guest: SearchedGuest): Promise<void> {
    if ('uid' in guest) return this.scan(guest.uid)
    const { accesspoint } = this.#enrolled()
    if (accesspoint) await this.#work?.processor.scanListed(guest, accesspoint._id)
  }

  /** Whether guests who are let in here are asked to sign. */
  asksToSign(): boolean {
    const { accesspoint } = this.device ?? {}
    return (accesspoint && this.#work?.guestList.asksToSign(accesspoint._id)) ?? false
  }

  /** The categories to which guests who are on no list may be added here. */
  walkInCategories(): WalkInCategory[] {
    const { accesspoint } = this.device ?? {}
    return (accesspoint && this.#work?.guestList.walkInCategories(accesspoint._id)) ?? []
  }

  /** Adds a guest who is on no list, and lets so many persons in. */
  async walkIn(last_name: string, { _id: guest_category_id, name }: WalkInCategory, persons: number): Promise<void> {
    const { accesspoint } = this.#enrolled()
    if (accesspoint)
      await this.#work?.processor.walkIn(last_name, name, { guest_category_id, persons }, accesspoint._id)
  }

  /** When and where a guest was last let in; undefined if that is unknown. */
  async lastEntry({ uid }: FoundGuest): Promise<EarlierEntry | undefined> {
    return this.#work?.server.lastEntry(uid).catch(() => undefined)
  }

  /** The name of a check-in point, if this device knows it. */
  pointName(accesspoint_id: string): string | undefined {
    const { accesspoint } = this.device ?? {}
    return accesspoint?._id === accesspoint_id ? accesspoint.name : this.#work?.guestList.pointName(accesspoint_id)
  }

  /** How many persons are still to come here, as this device last learned; undefined where it does not know. */
  personsToCome(): number | undefined {
    const { accesspoint } = this.device ?? {}
    return accesspoint ? this.#work?.guestList.personsToCome(accesspoint._id, this.now()) : undefined
  }

  /** The check-in point through which guests go the other way here, if this device may scan there. */
  opposite(): Point | undefined {
    const { accesspoint, accesspoint_ids } = this.#enrolled()
    if (!accesspoint) return undefined
    const all = this.#work?.guestList.oppositesOf(accesspoint._id)
    return all?.find((point) => isBoundTo(accesspoint_ids, point))
  }

  /** Undoes a scan that let a guest in, on the server too. Throws `StorageFull`. */
  async undo(scan: StoredScan): Promise<void> {
    const { uploader, reachability } = this.#work ?? {}
    if (!uploader) return
    const isWaiting = await withinQuota(() => this.#store.undo(scan))
    this.recent.undo(scan, isWaiting)
    await this.#count()
    if (isWaiting && reachability?.isUp) void uploader.run()
  }

  /** The server's time, in ms, as far as this device knows it. */
  now(): number {
    return this.#work?.clock.now().getTime() ?? Date.now()
  }

  /** When and where guests entered whom the server refuses because they had entered before, by the place of the scan. */
  async entriesBefore(): Promise<Map<number, Entry>> {
    const { server } = this.#work ?? {}
    if (!server) return new Map()
    return entriesBefore(this.refused, await server.points(), (page) => server.checkIns(page))
  }

  /** The scans that wait and which no device here can send any more: those of this one too, if it is revoked. */
  stranded(): Promise<StoredScan[]> {
    return this.#store.waitingOfOthers(this.device?.token ? this.device._id : undefined)
  }

  /** All signatures that the server does not have. */
  unsentSignatures(): Promise<StoredSignature[]> {
    return this.#signatures.waiting()
  }

  #enrolled(): StoredDevice {
    if (!this.device) throw new Error('This device is not enrolled')
    return this.device
  }

  /** Begins to work as the device, if it has a token. */
  #begin(): void {
    const { device } = this
    if (!device?.token) return
    const { _id: device_id, token } = device
    const store = this.#store
    const clock = new Clock(device.clock_offset)
    const server = new ServerClient(location.origin, token, device.event_id, () => void this.#revoke(token))
    const reachability = new Reachability(
      () => this.#contact(server, clock),
      () => this.#changed(),
      () => {
        void uploader.run()
        // What fails is asked for at the next contact.
        guestList.update().then(
          // Before the first list is there, nobody knows whether the check-in point is in an area.
          () => (this.area ? this.#changed() : void this.#learnArea()),
          () => {},
        )
        this.#learnKey(server).catch(() => {})
      },
    )
    const changed = () => this.#changed()
    const guestList = new GuestList({
      event_id: device.event_id,
      token,
      database: this.#database,
      store,
      server,
      changed,
    })
    void guestList.load().then(() => this.#changed())
    const processor = new ScanProcessor({
      device_id,
      event_id: device.event_id,
      store,
      guestList,
      server,
      reachability,
      clock,
      codeKey: () => this.device?.code_key,
      show: (outcome) => this.#show(outcome),
      settled: () => {
        void this.#count()
        if (reachability.isUp) void uploader.run()
      },
    })
    const uploader = new Uploader({
      device_id,
      store,
      server,
      signatures: new SignatureQueue({
        device_id,
        signatures: this.#signatures,
        server,
        ended: () => void this.#count(),
      }),
      undos: new UndoQueue({ device_id, store, server, ended: (scan, problem) => this.#undoEnded(scan, problem) }),
      asking: processor.asking,
      ended: (scans) => this.#ended(scans),
    })
    this.#work = { server, reachability, clock, processor, uploader, guestList }
    void store.recent(device_id, MOST_RECENT).then((scans) => this.recent.add(scans))
    reachability.start()
  }

  /** Stops working as the device. */
  #end(): void {
    this.#work?.reachability.stop()
    this.#work?.guestList.stop()
    this.#work = undefined
    this.outcome = undefined
    this.recent.clear()
  }

  /** Tells the server how this device is, and learns what the organizer has changed and how late it is. */
  async #contact(server: ServerClient, clock: Clock): Promise<void> {
    const askedAt = Date.now()
    const { self_test } = this.#enrolled()
    const waiting = this.waiting + this.waitingSignatures
    const { server_time, name, accesspoint_ids } = await server.heartbeat(waiting, self_test)
    if (this.#work?.server !== server) return
    // Another test may have ended meanwhile.
    if (self_test && this.device?.self_test?.tested_at === self_test.tested_at)
      await this.#change({ self_test: undefined })
    void this.#learnArea()
    // What fails is sent again at the next contact.
    server.reportTimes().catch(() => {})
    const isLate = clock.learn(server_time, askedAt)
    const device = this.#enrolled()
    const arePointsSame = String(device.accesspoint_ids) === String(accesspoint_ids)
    // Differences say nothing of the past at points that are new.
    if (!arePointsSame) await this.#work?.guestList.forget()
    if (!isLate && arePointsSame && device.name === name && device.event_title !== '') return
    const event_title = device.event_title || (await server.eventTitle())
    if (this.#work?.server !== server) return
    const { accesspoint } = this.#enrolled()
    const isLost = accesspoint !== null && !isBoundTo(accesspoint_ids, accesspoint)
    const changes = { name, accesspoint_ids, event_title, clock_offset: clock.offset }
    await this.#change({ ...changes, ...(isLost && { accesspoint: null }) })
  }

  /** Keeps how the test of this device ended until the server has it. Returns whether it has. */
  async #reportTest(self_test: SelfTestResult): Promise<boolean> {
    await this.#change({ self_test, is_untried: false })
    const { server, clock } = this.#work ?? {}
    if (server && clock) await this.#contact(server, clock).catch(() => {})
    return this.device?.self_test === undefined
  }

  /** Learns the key of ciphered codes, or that this device may not have it any more. */
  async #learnKey(server: ServerClient): Promise<void> {
    const given = await server.codeKey()
    if (given?.iv === this.device?.code_key?.iv) return
    const code_key = given && (await importCodeKey(given))
    if (this.#work?.server === server) await this.#change({ code_key })
  }

  /** The organizer has revoked a token: what the device knows is wiped, but not the scans that the server does not have. */
  async #revoke(token: string): Promise<void> {
    await this.#follow(token, await changeDevice(this.#database, token, { token: null, accesspoint: null }))
  }

  /** Changes the device. */
  async #change(changes: DeviceChanges): Promise<void> {
    const { token } = this.#enrolled()
    const kept = await changeDevice(this.#database, token, changes)
    if (kept?.token !== token) return this.#follow(token, kept)
    this.device = kept
    this.#changed()
  }

  /** Goes on as the device that is kept, where that is not the one with this token any more. */
  async #follow(token: string | null, kept: StoredDevice | undefined): Promise<void> {
    // Several requests hear that a token is revoked, and this may be another device by then.
    if (this.device?.token !== token) return
    this.#end()
    await this.#start(kept)
  }

  /** Begins to be a device, or one that was revoked. */
  async #start(device: StoredDevice | undefined): Promise<void> {
    this.device = device
    if (!device?.token) await this.#store.forgetJudged()
    // Before anything is shown: views ask the server.
    this.#begin()
    await this.#count()
  }

  #show(outcome: ScanOutcome): void {
    const before = this.outcome
    if (outcome.scan) this.recent.add([outcome.scan])
    if (outcome.isConfirmed && this.device?.is_untried) void this.#change({ is_untried: false })
    if (outcome.isConfirmed && mayEnter(outcome)) void this.#learnAreaAfter(outcome)
    if (before && before.number > outcome.number) return this.#changed()
    this.outcome = outcome
    this.#changed()
    // The page renders once this has returned. The first sound takes a while, so it comes after that.
    if (before?.number !== outcome.number || signalOf(before) !== signalOf(outcome))
      setTimeout(give, 0, signalOf(outcome), loadSettings().sound)
  }

  /** Scans that waited have come to their end; the one that is shown may be among them. */
  #ended(scans: readonly StoredScan[]): void {
    const { outcome } = this
    this.recent.update(scans)
    const shown = scans.find(({ sequence }) => sequence === outcome?.sequence)
    if (outcome && shown && !this.recent.undoOf(shown)) void this.#showEnd(outcome.number, shown)
    void this.#count()
  }

  /** The server has deleted the check-in of a scan, or says why it does not. */
  #undoEnded(scan: StoredScan, problem: Problem | null): void {
    this.recent.concludeUndo(scan, problem)
    void this.#count()
  }

  /** Shows how a scan that waited has ended, and then whose it is. */
  async #showEnd(number: number, scan: StoredScan): Promise<void> {
    this.#show(outcomeOf(number, scan))
    const guest = await this.#work?.processor.guestOf(scan)
    if (guest && this.outcome?.sequence === scan.sequence) this.#show(outcomeOf(number, { ...scan, ...guest }))
  }

  /** Learns how full the area is; what fails is asked for at the next contact. */
  async #learnArea(): Promise<void> {
    const { guestList, server } = this.#work ?? {}
    const { accesspoint } = this.device ?? {}
    const id = accesspoint && guestList?.areaOf(accesspoint._id)
    const area = id ? await server?.area(id).catch(() => this.area) : undefined
    if (this.device?.accesspoint?._id !== accesspoint?._id) return
    this.area = area
    this.#changed()
  }

  /** Learns how full the area is after a scan. The answer to an entry may have come before the count that says so. */
  async #learnAreaAfter({ number }: ScanOutcome): Promise<void> {
    await this.#learnArea()
    const { area, outcome } = this
    if (outcome?.number !== number || !outcome.scan || !isFull(area)) return
    const { scan } = outcome
    if (scan.area_full || scan.direction === 'out') return
    this.outcome = { ...outcome, scan: { ...scan, area_full: true } }
    this.#changed()
  }

  async #count(): Promise<void> {
    const device_id = this.device?._id ?? ''
    const [own, others, undoing, refused, ownSignatures, allSignatures, refusedSignatures] = await Promise.all([
      this.#store.countWaiting(device_id),
      this.#store.waitingOfOthers(device_id),
      this.#store.countUndoing(device_id),
      this.#store.refusedOf(device_id),
      this.#signatures.countWaiting(device_id),
      this.#signatures.countWaiting(),
      this.#signatures.refused(),
    ])
    Object.assign(this, {
      waiting: own + undoing,
      waitingOfOthers: others.length,
      refused,
      waitingSignatures: ownSignatures,
      waitingSignaturesOfOthers: allSignatures - ownSignatures,
      refusedSignatures,
    })
    this.#changed()
  }
}
