import { randomBytes } from 'node:crypto'

/** Changes that are kept; who is further behind gets a whole snapshot. */
const MAX_CHANGES = 200_000
/** Versions of which the times are kept, for cursors of other processes. */
const MAX_TIMES = 10_000
/** After this time a version is made without changes too: only a recent one is later than the first version of another process. */
const RENEWED_AFTER_MS = 30_000
/** How far the clocks of two processes may be apart. */
const SKEW_MS = 15_000

const CURSOR = /^([0-9a-f]{12})-(\d+)-(\d+)$/

/** The uids of the guests who have changed in a version. */
interface Changes {
  version: number
  uids: string[]
}

/** When the reading of a version began and ended, in ms. */
interface VersionTimes {
  version: number
  begun: number
  ended: number
}

/**
 * The versions of one event's snapshot in this process, and which guests have changed in each. A cursor names the process's copy, a version of it, and
 * when that began to be read: for the copy of another process only the time counts, and the difference begins a little earlier. Differences are sent
 * with whole guests, so that what comes twice does no harm.
 */
export class Versions {
  readonly #copy = randomBytes(6).toString('hex')
  /** The version in which each guest changed last. */
  readonly #changed = new Map<string, number>()
  readonly #changes: Changes[] = []
  /** How many changes `#changes` holds. */
  #kept = 0
  /** The guests who have changed since the last version. */
  #marked: string[] = []
  readonly #times: VersionTimes[] = []
  /** The last version with changes. */
  #changedIn = 0
  /** Of earlier versions it is not known what has changed since. */
  #oldest = 1

  /** The last version; 0 before the first. */
  get current(): number {
    return this.#times.at(-1)?.version ?? 0
  }

  /** When the last version began to be read. */
  get begun(): Date {
    return new Date(this.#times.at(-1)?.begun ?? 0)
  }

  /** The cursor of the last version. */
  get cursor(): string {
    return `${this.#copy}-${this.current}-${this.begun.getTime()}`
  }

  /** The same for versions with the same contents. */
  get contents(): string {
    return `${this.#copy}-${this.#changedIn}`
  }

  /** Notes that a guest has changed in the version that is being read. */
  mark(uid: string): void {
    const version = this.current + 1
    // In the first version all guests are new.
    if (version === 1 || this.#changed.get(uid) === version) return
    this.#changed.set(uid, version)
    this.#marked.push(uid)
  }

  /** Ends the reading that began at `begun`, in ms. It makes a version if a guest has changed, or anything else. */
  end(begun: number, hasOtherChanges: boolean): void {
    const isChanged = this.#marked.length > 0 || hasOtherChanges || this.current === 0
    if (!isChanged && begun - this.begun.getTime() < RENEWED_AFTER_MS) return
    this.#times.push({ version: this.current + 1, begun, ended: Date.now() })
    if (this.#marked.length > 0) this.#changes.push({ version: this.current, uids: this.#marked })
    this.#kept += this.#marked.length
    this.#marked = []
    if (isChanged) this.#changedIn = this.current
    if (this.#times.length > MAX_TIMES) this.#times.shift()
    if (this.#kept > MAX_CHANGES) this.#forgetHalf()
  }

  /** The version from which a holder of this cursor needs the difference; undefined if that is not known. */
  versionOf(cursor: string): number | undefined {
    const [, copy, version, begun] = CURSOR.exec(cursor) ?? []
    if (copy === undefined) return undefined
    const known = copy === this.#copy ? Number(version) : this.#versionAt(Number(begun))
    return known !== undefined && known >= this.#oldest && known <= this.current ? known : undefined
  }

  /** The uids of the guests who have changed after a version, those of a reading that failed included. */
  changedSince(version: number): string[] {
    const later = this.#changes.slice(this.#changes.findLastIndex((each) => each.version <= version) + 1)
    const all = [...later, { version: this.current + 1, uids: this.#marked }]
    return all.flatMap(({ version, uids }) => uids.filter((uid) => this.#changed.get(uid) === version))
  }

  /** The last version that was complete before another process began to read at `time`, in ms. */
  #versionAt(time: number): number | undefined {
    if (time > Date.now() + SKEW_MS) return undefined
    return this.#times.findLast(({ ended }) => ended < time - SKEW_MS)?.version
  }

  #forgetHalf(): void {
    while (this.#kept > MAX_CHANGES / 2) {
      const { version, uids } = this.#changes.shift() as Changes
      for (const uid of uids) if (this.#changed.get(uid) === version) this.#changed.delete(uid)
      this.#kept -= uids.length
      this.#oldest = version
    }
  }
}
