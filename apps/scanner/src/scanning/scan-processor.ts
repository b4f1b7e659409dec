import { readCode, type ScannedCode } from '../../../shared/src/codes/code.ts'
import { timely } from '../../../shared/src/server/timely.ts'
import { StorageFull } from '../../../shared/src/storage/quota.ts'
import type { GuestList, ListedGuest, Party } from '../offline/guest-list.ts'
import type { Clock } from '../server/clock.ts'
import type { ServerClient } from '../server/server.ts'
import type { ScanStore } from '../storage/scans.ts'
import { answeredLate, askFor } from './answers.ts'
import { type CodeKey, deciphered } from './code-key.ts'
import { noScan, outcomeOf, partyQuestion, type ScanOutcome } from './outcome.ts'
import type { HashedGuest, StoredScan, WalkIn } from './scan.ts'

interface ScanProcessorOptions {
  device_id: string
  event_id: string
  store: ScanStore
  guestList: GuestList
  server: ServerClient
  reachability: { readonly isUp: boolean; lose: () => void }
  clock: Clock
  /** The key of ciphered codes, while this device has it. */
  codeKey: () => CodeKey | undefined
  /** Shows an outcome, or what is new of the one that is shown. */
  show: (outcome: ScanOutcome) => void
  /** Called when a scan has come to its end, or has to wait. */
  settled: () => void
}

/** Processes scans: asks the server, and decides on the device if that takes too long. */
export class ScanProcessor {
  /** The places of scans for which the server is being asked just now. */
  readonly asking = new Set<number>()
  readonly #options: ScanProcessorOptions
  #scans = 0
  /** The last decision of this device, which has to be kept before the next one is made: both may be about the same guest. */
  #deciding: Promise<unknown> = Promise.resolve()

  constructor(options: ScanProcessorOptions) {
    this.#options = options
  }

  /**
   * Scans a code, or the likeliest of several readings of it, at a check-in point. The scan is stored before anything is shown. Of a party, asks
   * first how many come in, unless `persons` says so.
   */
  async scan(scanned: string | readonly string[], accesspoint_id: string, persons?: number): Promise<void> {
    const { show, store } = this.#options
    const number = ++this.#scans
    const content = typeof scanned === 'string' ? scanned : await this.#likeliest(scanned)
    const code = await this.#read(content)
    if (!code) return show(noScan(number, 'unread', content))
    const party = code.kind === 'uid' && persons === undefined && (await this.#partyOf(accesspoint_id, code.uid))
    if (party) return show(partyQuestion(number, party, content))
    const is_asked = await this.#mayAsk(code, accesspoint_id)
    const made = this.#newScan(code, content, accesspoint_id, { is_asked, persons })
    if (!is_asked) return this.#decide(made, number)
    await this.#unlessFull(number, async () => this.#ask(await store.add(made), number))
  }

  /** Checks in a guest whom this device found in its list by name, where the server does not answer. Its uid is asked for later. */
  async scanListed(listed: ListedGuest, accesspoint_id: string, persons?: number): Promise<void> {
    const { hash, salt, name, category } = listed
    const number = ++this.#scans
    const party = persons === undefined && (await this.#partyOf(accesspoint_id, listed))
    if (party) return this.#options.show(partyQuestion(number, party, listed))
    const made = {
      ...this.#newScan({ kind: 'ciphered' }, name, accesspoint_id, { is_asked: false, persons }),
      guest_hash: { hash, salt },
      name,
      category,
    }
    await this.#decide(made, number)
  }

  /** Adds a guest who is on no list and checks the guest in. The server makes one guest of it, however often it is sent. */
  async walkIn(last_name: string, category: string, walk_in: WalkIn, accesspoint_id: string): Promise<void> {
    const number = ++this.#scans
    const { isUp } = this.#options.reachability
    const code = { kind: 'uid', uid: crypto.randomUUID(), name: last_name } as const
    const made = {
      ...this.#newScan(code, last_name, accesspoint_id, { is_asked: isUp, persons: undefined }),
      category,
      walk_in,
    }
    if (!isUp) return this.#decide(made, number)
    await this.#unlessFull(number, async () => this.#ask(await this.#options.store.add(made), number))
  }

  #partyOf(accesspoint_id: string, guest: string | HashedGuest): Promise<Party | undefined> {
    return this.#options.guestList.partyAt(accesspoint_id, guest, this.#options.clock.now().getTime())
  }

  /** Decides a new scan on this device. */
  #decide(made: Omit<StoredScan, 'sequence'>, number: number): Promise<void> {
    const { show, settled, store, server } = this.#options
    server.times.decidedAlone(made.accesspoint_id)
    return this.#unlessFull(number, async () => {
      const scan = await this.#inTurn(async () => store.add({ ...made, ...(await this.#ownDecision(made)) }))
      show(outcomeOf(number, scan))
      settled()
    })
  }

  async #unlessFull(number: number, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error
      this.#options.show(noScan(number, 'full'))
    }
  }

  /** The first reading that is the uid of a guest whom this device knows; otherwise the first of all, which the steward is shown. */
  async #likeliest([first = '', ...others]: readonly string[]): Promise<string> {
    if (others.length === 0) return first
    return (await this.#options.guestList.firstKnown([first, ...others])) ?? first
  }

  /** Reads a code. Where this device has no key, a ciphered one is left to the server. */
  async #read(content: string): Promise<ScannedCode | undefined> {
    const code = readCode(content)
    const key = this.#options.codeKey()
    if (code?.kind !== 'ciphered' || !key) return this.#known(code)
    const card = await deciphered(content, key)
    return card === undefined ? undefined : this.#known(readCode(card))
  }

  /** The code with the uid for which its text stands. */
  async #known(code: ScannedCode | undefined): Promise<ScannedCode | undefined> {
    return code?.kind === 'uid' ? { ...code, uid: await this.#options.guestList.uidOf(code.uid) } : code
  }

  /**
   * Whether the server can be asked for a scan at once. While it does not know that this device has let the guest in it would do so again: then the
   * scan goes up behind that one.
   */
  async #mayAsk(code: ScannedCode, accesspoint_id: string): Promise<boolean> {
    const { reachability, store } = this.#options
    return reachability.isUp && !(code.kind === 'uid' && (await store.hasLetIn(accesspoint_id, code.uid)))
  }

  #newScan(
    code: ScannedCode,
    content: string,
    accesspoint_id: string,
    { is_asked, persons }: { is_asked: boolean; persons: number | undefined },
  ): Omit<StoredScan, 'sequence'> {
    const { device_id, event_id, clock } = this.#options
    const known = code.kind === 'uid' ? code : undefined
    return {
      device_id,
      event_id,
      accesspoint_id,
      content,
      guest_uid: known?.uid ?? null,
      access_stamp: clock.now().toISOString(),
      key: crypto.randomUUID(),
      is_asked,
      ...(persons !== undefined && { persons }),
      decided_offline: null,
      state: 'waiting',
      access_status: null,
      concluded_at: null,
      problem: null,
      name: known?.name ?? null,
      category: null,
    }
  }

  /** What the server knows of the guest of a scan; nothing if it does not answer. What it has said of the scan is shown before. */
  async guestOf(scan: StoredScan): Promise<Partial<StoredScan> | undefined> {
    if (!isKnown(scan)) return undefined
    const { guest_uid, name } = scan
    const guest = await this.#options.server.guest(guest_uid).catch(() => undefined)
    if (!guest) return undefined
    const { first_name, category, message, fields, party_size } = guest
    return { name: guest.name || name, first_name, category, message, fields, party_size }
  }

  async #ask(scan: StoredScan, number: number): Promise<void> {
    this.asking.add(scan.sequence)
    try {
      await this.#showAnswer(scan, number)
    } finally {
      this.asking.delete(scan.sequence)
      this.#options.settled()
    }
  }

  /**
   * Asks the server. If it takes too long the device decides, and shows what the server says when it comes; the server hears of the decision
   * when the scan goes up again.
   */
  async #showAnswer(scan: StoredScan, number: number): Promise<void> {
    const { server, store, reachability, show } = this.#options
    let current = scan
    const learn = async (news: Partial<StoredScan>): Promise<void> => {
      current = { ...current, ...news }
      // A scan whose news cannot be stored is known as waiting, and goes up again, which changes nothing.
      await store.put([current]).catch(() => {})
    }
    const asked = askFor(scan, server).then((answer) => learn(answeredLate(current, answer)))
    const isAnswered = await timely(asked.then(() => true))
    if (!isAnswered) {
      reachability.lose()
      await this.#inTurn(async () => {
        const decided = { ...scan, ...(await this.#ownDecision(scan)) }
        // The answer may have come meanwhile.
        if (current !== scan) return
        const isKept = await store.put([decided]).then(
          () => true,
          () => false,
        )
        // What is shown has to count at the guest's next scan: if it cannot be stored, nothing is decided.
        if (isKept && current === scan) current = decided
      })
    }
    const isNameAwaited = isAnswered && isKnown(current) && !current.name
    show({ ...outcomeOf(number, current), ...(isNameAwaited && { isNameAwaited }) })
    await asked.then(
      async () => {
        const reading = this.guestOf(current)
        if (isNameAwaited && !(await timely(reading.then(() => true)))) show(outcomeOf(number, current))
        const guest = await reading
        if (guest) await learn(guest)
        show(outcomeOf(number, current))
      },
      // The scan waits, and goes up later.
      () => {},
    )
  }

  /** What this device decides of a scan, as what it changes. */
  async #ownDecision({
    accesspoint_id,
    guest_uid,
    guest_hash,
    access_stamp,
    name,
    walk_in,
    persons,
  }: Omit<StoredScan, 'sequence'>): Promise<Partial<StoredScan>> {
    if (walk_in) return { decided_offline: 0 }
    const guest = guest_uid ?? guest_hash
    const { guestList } = this.#options
    const own = guest && (await guestList.decide(accesspoint_id, guest, Date.parse(access_stamp), persons))
    if (!own) return {}
    const { status, ...details } = own
    return { ...details, decided_offline: status, name: own.name ?? name }
  }

  #inTurn<T>(decide: () => Promise<T>): Promise<T> {
    const decided = this.#deciding.then(decide)
    this.#deciding = decided.catch(() => {})
    return decided
  }
}

/** Whether the server has said that it knows the guest of a scan. */
function isKnown(scan: StoredScan): scan is StoredScan & { guest_uid: string } {
  return scan.guest_uid !== null && scan.access_status !== null && scan.access_status !== 1
}
