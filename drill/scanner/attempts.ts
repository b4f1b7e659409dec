/** The door's statuses: granted, unknown guest, not authorized, too many check-ins. */
export type Status = 0 | 1 | 2 | 3

/** What a screen shows of a scan: what the device has decided by itself, what the server has recorded, or that nobody knows yet. */
export type Shown =
  | { by: 'device' | 'server'; status: Status }
  | { by: 'nobody' }
  /** The app asks how many of a party come in; the answer is a scan of its own. */
  | { by: 'question' }
  /** The app says that it does not take the scan, or the server does not. */
  | { by: 'app'; text: string }

/** A scan that a steward makes. Times in ms since 1970. */
export interface ScanAttempt {
  scanner: number
  point: string
  /** The name of a walk-in, whose uid only the device knows. */
  uid: string
  /** `answered`: how many of a party come in. */
  how: 'typed' | 'camera' | 'answered' | 'walk-in'
  /** How many come in or go out. */
  persons: number
  begun: number
  /** When the screen showed the first answer; undefined if it did not, since its tab was killed. */
  answered: number | undefined
  /** Whether its tab was killed before an answer was seen: the app may have taken the scan or not. */
  isCutShort: boolean
  /** Whether the steward has undone it, as the screen said; `asked` if the tab was killed before it said so. */
  undo?: 'asked' | 'done'
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

/** What is known of a guest's rights at a check-in point. */
export interface Right {
  /** How many persons may enter; -1 without limit. */
  limit: number
  /** The status of refusals. */
  refusal: Status
  /** Whoever has come out may come in again. */
  reentry?: true
}

/** What has become of the requests on a network. */
export interface Weather {
  requests: number
  lost: number
  slow: number
  cuts: number
}
