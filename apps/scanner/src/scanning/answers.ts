import { hashUid } from '@gatehouse/door/uid-hash.ts'
import { GatehouseError } from '../../../../clients/typescript/client.ts'
import { readCode } from '../../../shared/src/codes/code.ts'
import { problemOf } from '../server/problems.ts'
import type { CheckInResult, FoundGuest, ServerClient } from '../server/server.ts'
import { tick } from '../storage/ticks.ts'
import type { HashedGuest, StoredScan } from './scan.ts'

/** The server's 403 that are about a scan: at a point to which the device is not bound any more, or of a walk-in. Others are about the token. */
const ABOUT_SCANS = new Set(['other_points', 'walk_ins_disallowed'])

/** How many guests of one name are looked at. */
const MOST_NAMESAKES = 100

/** Asks the server for one scan, whose code it may have to read first. Throws if it does not answer. */
export async function askFor(scan: StoredScan, server: ServerClient): Promise<CheckInResult> {
  try {
    const guest_uid = scan.guest_uid ?? (await uidOf(scan, server))
    if (guest_uid === undefined) return { problem: scan.guest_hash ? 'guest_gone' : 'content' }
    return await (scan.walk_in ? server.addWalkIn(scan, scan.walk_in) : server.checkIn({ ...scan, guest_uid }))
  } catch (error) {
    if (error instanceof GatehouseError && isAboutScan(error)) return { problem: problemOf(error) }
    throw error
  }
}

/**
 * A scan with the answer to a request that was sent before the device decided, if it has. The server has not heard of that decision then, so
 * the scan waits to be sent again with it.
 */
export function answeredLate(scan: StoredScan, answer: CheckInResult): StoredScan {
  const end = concluded(scan, answer)
  return 'problem' in answer || scan.decided_offline === null ? end : { ...end, state: 'waiting' }
}

/** A scan with what the server says of it: it is refused if the device has let in whom the server refuses, or the other way round. */
export function concluded(scan: StoredScan, answer: CheckInResult): StoredScan {
  if ('problem' in answer) return { ...scan, state: 'refused', concluded_at: tick(), problem: answer.problem }
  const { decided_offline } = scan
  const differs = decided_offline !== null && (decided_offline === 0) !== (answer.access_status === 0)
  return { ...scan, ...answer, concluded_at: tick(), state: differs ? 'refused' : 'confirmed' }
}

/** Whether an error is the server's judgement of a scan. Others, of a proxy or about the token, say nothing of it. */
function isAboutScan({ status, errors, reason }: GatehouseError): boolean {
  return (
    (status === 422 && Object.keys(errors).length > 0) ||
    (status === 403 && reason !== undefined && ABOUT_SCANS.has(reason.code))
  )
}

/** The uid in a ciphered code, or of a guest who was found in the list on this device, which has no uids. */
async function uidOf(scan: StoredScan, server: ServerClient): Promise<string | undefined> {
  const { content, guest_hash } = scan
  if (guest_hash) return uidWith(guest_hash, await server.search(scan.name ?? '', MOST_NAMESAKES))
  const code = readCode(await server.decipher(content))
  return code?.kind === 'uid' ? code.uid : undefined
}

/** The uid that has this hash, of guests with the same name. */
async function uidWith({ hash, salt }: HashedGuest, guests: readonly FoundGuest[]): Promise<string | undefined> {
  for (const { uid } of guests) if ((await hashUid(salt, uid)) === hash) return uid
  return undefined
}
