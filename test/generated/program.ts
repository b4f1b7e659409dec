/** What a program is told. */
export interface Given {
  url: string
  token: string
  event_id: string
  accesspoint_id: string
  guest_uid: string
}

/** What a program has learned. */
export interface Learned {
  access_status: number
  /** The errors of a check-in that names no check-in point. */
  errors: Record<string, string[]>
  /** The sentence of what no event has. */
  error: string
}
