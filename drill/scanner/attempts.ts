/** The door's statuses: granted, unknown guest, not authorized, too many check-ins. */
export type Status = 0 | 1 | 2 | 3

/** What a screen shows of a scan: what the device has decided by itself, what the server has recorded, or that nobody knows yet. */
export type Shown =
  | { by: 'device' | 'server'; status: Status }
  | { by: 'nobody' }
  /** The app says that it does not take the scan, or the server does not. */
  | { by: 'app'; text: string }

/** A scan that a steward makes. Times in ms since 1970. */
export interface ScanAttempt {
  scanner: number
  point: string
  uid: string
  how: 'typed' | 'camera'
  begun: number
  /** When the screen showed the first answer; undefined if it did not, since its tab was killed. */
  answered: number | undefined
  /** Whether its tab was killed before an answer was seen: the app may have taken the scan or not. */
  isCutShort: boolean
  /** What the screen has shown of it, the last at the end. */
  shown: Shown[]
}

/** A scan that a device lists as decided otherwise by the server. */
export interface Difference {
  uid: string
  /** The time of the scan, as the server has it. */
  stamp: string
  sentence: string
}

/** What a scanner says at the end. */
export interface ScannerEnding {
  differences: Difference[]
  /** What it says of its queue, if that is not empty. */
  waiting: string | undefined
}

/** What is known of a guest's rights, at each check-in point alike. */
export interface Right {
  /** How often the guest may enter. */
  limit: number
  /** The status of refusals. */
  refusal: Status
}

/** What has become of the requests on a network. */
export interface Weather {
  requests: number
  lost: number
  slow: number
  cuts: number
}
