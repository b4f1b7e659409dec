/** A request by which the server is asked for one scan. */
const ASKS_FOR_SCAN = /\/(access_controls|walk_ins)\.json$/
/** How long ago a scan may be that the server still counts. */
const COUNTED_MS = 600_000
/** The most scans in a report. */
const MOST = 500

/** A scan as this device saw it. */
interface SeenScan {
  accesspoint_id: string
  /** When it ended, by the device's clock. */
  at: number
  /** From the question to the answer, or until it was given up; undefined where this device did not ask. */
  waited_ms?: number
  /** How long Gatehouse took, as it says; undefined without an answer. */
  gatehouse_ms?: number
}

/** What the server is told. */
export interface ScanTimeReport {
  report_key: string
  scans: (Omit<SeenScan, 'at'> & { ago_ms: number })[]
}

/** Measures how long the server takes for scans, and reports it: what passed on the network is known here alone. */
export class ScanTimes {
  #seen: SeenScan[] = []
  /** What was sent without an answer; it is sent again under its id, which the server counts once. */
  #offered: { report_key: string; scans: SeenScan[] } | undefined

  /** Notes that this device decided a scan without asking. */
  decidedAlone(accesspoint_id: string): void {
    this.#add({ accesspoint_id, at: Date.now() })
  }

  /** Sends a request, and measures it if it asks for a scan. */
  async measuring(request: Request, send: () => Promise<Response>): Promise<Response> {
    if (request.method !== 'POST' || !ASKS_FOR_SCAN.test(new URL(request.url).pathname)) return send()
    const copy = request.clone()
    const begun = performance.now()
    const sent = send()
    const answer = await sent.catch(() => undefined)
    const waited_ms = Math.round(performance.now() - begun)
    // The server has refused it before it came to a decision.
    if (answer && answer.status >= 400 && answer.status < 500) return answer
    const gatehouse_ms = gatehouseTimeOf(answer)
    const { accesspoint_id } = (await copy.json()) as { accesspoint_id: string }
    this.#add({ accesspoint_id, at: Date.now(), waited_ms, ...(gatehouse_ms !== undefined && { gatehouse_ms }) })
    return sent
  }

  /** Sends what there is to report. */
  async report(send: (report: ScanTimeReport) => Promise<unknown>): Promise<void> {
    if (!this.#offered && this.#seen.length > 0) {
      this.#offered = { report_key: crypto.randomUUID(), scans: this.#seen }
      this.#seen = []
    }
    const offered = this.#offered
    if (!offered) return
    const { report_key } = offered
    const scans = offered.scans
      .map(({ at, ...scan }) => ({ ...scan, ago_ms: Math.max(0, Date.now() - at) }))
      .filter(({ ago_ms }) => ago_ms <= COUNTED_MS)
    if (scans.length > 0) await send({ report_key, scans })
    if (this.#offered === offered) this.#offered = undefined
  }

  #add(scan: SeenScan): void {
    this.#seen = [...this.#seen, scan].slice(-MOST)
  }
}

/** What an answer says of the time in Gatehouse. */
function gatehouseTimeOf(answer: Response | undefined): number | undefined {
  const [, ms] = /\bgatehouse;dur=(\d+)/.exec(answer?.headers.get('server-timing') ?? '') ?? []
  return ms === undefined ? undefined : Number(ms)
}
