/** Below this, in ms, no difference matters. */
const NEGLIGIBLE_MS = 250

/** The server's time, as far as this device knows it: its own clock may be wrong by hours. */
export class Clock {
  /** What has to be added to the device's clock, in ms. */
  offset: number

  constructor(offset: number) {
    this.offset = offset
  }

  /** The server's time now. */
  now(): Date {
    return new Date(Date.now() + this.offset)
  }

  /** Learns from an answer that says the server's time, and when it was asked for. Returns whether that was something new. */
  learn(serverTime: string, askedAt: number, answeredAt = Date.now()): boolean {
    const offset = Math.round(Date.parse(serverTime) - (askedAt + answeredAt) / 2)
    // The server may have said its time as soon as it was asked, or just before it answered: less than that is no difference.
    const doubt = Math.max((answeredAt - askedAt) / 2, NEGLIGIBLE_MS)
    if (Number.isNaN(offset) || Math.abs(offset - this.offset) <= doubt) return false
    this.offset = offset
    return true
  }
}
