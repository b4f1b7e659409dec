import type { StoredCheckIn } from '@gatehouse/cli/demo/recount.ts'
import type { MailRecount } from '../mail/mail-comparing.ts'
import type { HandOverAttempt } from '../mail/mail-server.ts'
import type { DrillRecord, RecordedScan } from '../record.ts'

/** When what happened, in ms since the start. */
export interface Moments {
  /** When the backup began, and ended. */
  begun: number
  ended: number
  /** When everything began to be killed, and when nothing ran any more. */
  dying: number
  killed: number
  /** When the restored system served. */
  back: number
}

/** Something as a list shows it. */
export interface Dated {
  _id: string
  created_at: string
}

/** What the restored system has. */
export interface Restored {
  checkIns: (StoredCheckIn & Dated)[]
  collected: Dated[]
  invitations: MailRecount
}

/** What the restore took back, all of it answered after the backup had begun. */
export interface Undone {
  scans: RecordedScan[]
  collected: number
  invitations: number
  /** No earlier than this is the moment whose data the backup has, in ms since the start. */
  moment: number
}

/**
 * The moment of a backup is after the creation of everything in it. So whatever was answered before the latest of these creations is in it too, and
 * whatever was answered before the backup began: what is missing is a violation. Takes what else is missing out of the record, so that the record
 * says what the restored system has to say. `clock` is the time of the record's start, in ms since 1970.
 */
export function undo(record: DrillRecord, restored: Restored, { begun, killed }: Moments, clock: number): Undone {
  const listed = [...restored.invitations.byCampaign.values()].flatMap(({ listed }) => listed)
  const created = [...restored.checkIns, ...restored.collected, ...listed].map(
    (each) => Date.parse(each.created_at) - clock,
  )
  const moment = Math.max(begun, ...created.filter((at) => at < killed))
  const isUndone = (what: string, at: number): boolean => {
    if (at < moment)
      record.violation('restored', 'what was answered before the moment of the backup is missing', [
        `${what}, answered at ${Math.round(at)} ms; the backup began at ${Math.round(begun)} ms and has what was there at ${Math.round(moment)} ms`,
      ])
    return at < killed
  }
  return {
    scans: undoScans(record, restored.checkIns, killed, moment, isUndone),
    collected: undoCollected(record, restored.collected, isUndone),
    invitations: undoInvitations(record, new Set(listed.map(({ _id }) => _id)), isUndone),
    moment,
  }
}

type IsUndone = (what: string, at: number) => boolean

/** Takes out scans that are missing, and deletions that the restore took back. */
function undoScans(
  record: DrillRecord,
  checkIns: StoredCheckIn[],
  killed: number,
  moment: number,
  isUndone: IsUndone,
): RecordedScan[] {
  const stored = new Set(checkIns.map(({ access_stamp }) => access_stamp))
  const undone = new Set<RecordedScan>()
  for (const scan of record.scans) {
    const { stamp, answers, deletion, place } = scan
    const [first] = answers
    const isDeleted = deletion !== undefined && deletion.sent < killed
    if (stored.has(stamp)) {
      // A deletion that was answered before the moment is in the backup: then the comparison finds the check-in.
      if (isDeleted && (deletion.answered ?? killed) >= moment) delete scan.deletion
    } else if (first && isDeleted) {
      // What refused a scan may be undone, and then nothing says why it was refused.
      if (first.at >= moment && first.status !== 0) undone.add(scan)
    } else if (first && isUndone(`scan ${stamp} of ${place.uid}`, first.at)) undone.add(scan)
  }
  const kept = record.scans.filter((scan) => !undone.has(scan))
  record.scans.splice(0, record.scans.length, ...kept)
  return [...undone]
}

function undoCollected({ collected }: DrillRecord, listed: Dated[], isUndone: IsUndone): number {
  const found = new Set(listed.map(({ _id }) => _id))
  return collected.filter(({ kind, _id, at }) => !found.has(_id) && isUndone(`${kind} ${_id}`, at)).length
}

/** Takes out invitations that are missing: their partners may invite the recipients again. */
function undoInvitations({ answers, acceptedAt }: DrillRecord, found: Set<string>, isUndone: IsUndone): number {
  let count = 0
  for (const ofCampaign of answers.values()) {
    for (const [address, id] of ofCampaign) {
      if (!id || found.has(id) || !isUndone(`invitation ${id} of ${address}`, acceptedAt.get(id) ?? 0)) continue
      ofCampaign.delete(address)
      count++
    }
  }
  return count
}

/**
 * The attempts of the mail server that the restored system answers for. What was taken after the backup had begun and before the end may be
 * unknown to it: then the recipient is no longer invited, or gets the e-mail once more, with the same `Message-ID`. `again` counts these.
 */
export function attemptsKept(
  attempts: readonly HandOverAttempt[],
  listed: Set<string>,
  { begun, killed }: Moments,
): { attempts: HandOverAttempt[]; again: number } {
  const later = new Set(attempts.filter(({ at, isTaken }) => isTaken && at >= killed).map(({ id }) => id))
  const between = attempts.filter(({ at, isTaken }) => isTaken && at >= begun && at < killed)
  const forgotten = new Set(between.filter(({ id }) => !listed.has(id) || later.has(id)))
  return {
    attempts: attempts.filter((each) => !forgotten.has(each)),
    again: between.filter(({ id }) => listed.has(id) && later.has(id)).length,
  }
}
