import type { Problem } from '../server/problems.ts'
/** A straight line; all are numbers, as the API has them. */
export interface DrawnLine {
  x1: string
  y1: string
  x2: string
  y2: string
  'stroke-width': string
}

/** A drawing, as the API has it. */
export interface Points {
  width: string
  height: string
  lines: DrawnLine[]
}

/** Whether the server has yet to answer for a signature, or does not take it. */
export type SignatureState = 'waiting' | 'refused'

/** A signature as this device stores it, until the server has it. */
export interface StoredSignature {
  /** Its place in the order of signatures. */
  sequence: number
  /** The device at which it was drawn. With point, guest and time it is what the server knows repeats by. */
  device_id: string
  accesspoint_id: string
  guest_uid: string
  /** When it was drawn, by the server's clock as far as this device knows it. */
  access_stamp: string
  points: Points
  state: SignatureState
  /** Why the server does not take it, in the server's words. */
  problem: Problem | null
  /** The guest's, as far as known. */
  name: string | null
}

/** A signature as the API takes it. */
export function signatureBody({ accesspoint_id, guest_uid, access_stamp, points }: StoredSignature) {
  return { accesspoint_id, guest_uid, access_stamp, points }
}
