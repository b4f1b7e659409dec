import { expect, test } from 'vitest'
import type { InvitingCampaign } from '../mail/campaigns.ts'
import { DrillRecord, type RecordedScan } from '../record.ts'
import { violationsOf } from '../report.ts'
import { attemptsKept, type Moments, type Restored, undo } from './undoing.ts'

const MOMENTS: Moments = { begun: 1_000, ended: 1_500, dying: 1_990, killed: 2_000, back: 3_000 }
const PLACE = { uid: 'ada', point: 'door', limit: 1, refusal: 3 } as const
const CAMPAIGN = { id: 'campaign', name: 'campaign' } as InvitingCampaign

function answered(record: DrillRecord, at: number): RecordedScan {
  const scan = record.scan(PLACE, 'batch')
  scan.sent.push(at - 10)
  scan.answers.push({ _id: scan.stamp, status: 0, at })
  return scan
}

/** What the restored system has, created at these moments. Times are those of the record, since the clock begins with it. */
function restored(scans: RecordedScan[], createdAt = 0): Restored {
  const created_at = new Date(createdAt).toISOString()
  const checkIns = scans.map(({ stamp, place }) => {
    return {
      _id: stamp,
      created_at,
      access_stamp: stamp,
      guest_uid: place.uid,
      accesspoint_id: 'door',
      access_status: 0,
    }
  })
  return { checkIns, collected: [], invitations: { byCampaign: new Map() } as Restored['invitations'] }
}

const undoneOf = (record: DrillRecord, has: Restored) => undo(record, has, MOMENTS, 0)
const broken = (record: DrillRecord) => violationsOf(record, 'restored').join('\n')

test('what was answered before the backup began and is missing is a violation', () => {
  const record = new DrillRecord(1)
  const lost = answered(record, 900)
  record.collected.push({ kind: 'lead', _id: 'lead-1', at: 900 })
  record.told(CAMPAIGN, 'ada@example.org', 'invitation-1')
  record.acceptedAt.set('invitation-1', 900)
  undoneOf(record, restored([]))
  expect(broken(record)).toContain(lost.stamp)
  expect(broken(record)).toContain('lead-1')
  expect(broken(record)).toContain('invitation-1 of ada@example.org')
})

test('what was answered after it began may be missing, and is taken out of the record', () => {
  const record = new DrillRecord(1)
  const [there, lost] = [answered(record, 900), answered(record, 1_100)]
  record.collected.push({ kind: 'signature', _id: 'signature-1', at: 1_100 })
  record.told(CAMPAIGN, 'ada@example.org', 'invitation-1')
  record.acceptedAt.set('invitation-1', 1_100)
  expect(undoneOf(record, restored([there]))).toEqual({ scans: [lost], collected: 1, invitations: 1, moment: 1_000 })
  expect(record.scans).toEqual([there])
  expect(record.answers.get(CAMPAIGN.id)?.size).toBe(0)
  expect(broken(record)).toBe('')
})

test('what was answered before something else was created that is there must be there too: a backup is of one moment', () => {
  const record = new DrillRecord(1)
  const [lost, there] = [answered(record, 1_100), answered(record, 1_300)]
  expect(undoneOf(record, restored([there], 1_200)).moment).toBe(1_200)
  expect(broken(record)).toContain(lost.stamp)
})

test('what was created after the restore says nothing of the moment', () => {
  const record = new DrillRecord(1)
  answered(record, 1_100)
  const later = answered(record, 3_100)
  expect(undoneOf(record, restored([later], 3_050)).moment).toBe(1_000)
  expect(broken(record)).toBe('')
})

test('what was answered after the restore and is missing stays in the record', () => {
  const record = new DrillRecord(1)
  const missing = answered(record, 3_100)
  expect(undoneOf(record, restored([])).scans).toEqual([])
  expect(record.scans).toEqual([missing])
})

test('a check-in whose deletion was answered after the backup began may be there, one deleted before may not', () => {
  const record = new DrillRecord(1)
  const [back, gone] = [answered(record, 800), answered(record, 800)]
  back.deletion = { sent: 1_050, answered: 1_100 }
  gone.deletion = { sent: 850, answered: 900 }
  undoneOf(record, restored([back, gone]))
  expect(back.deletion).toBeUndefined()
  expect(gone.deletion).toBeDefined()
})

test('an e-mail taken after the backup began may be forgotten, or come again once; one taken before may not', () => {
  const attempt = (id: string, at: number) => ({ kind: 'invitation' as const, id, address: id, at, isTaken: true })
  const before = [attempt('a', 900), attempt('a', 3_100)]
  const known = [attempt('b', 1_100)]
  const forgotten = [attempt('c', 1_100)]
  const repeated = [attempt('d', 1_100), attempt('d', 3_100)]
  const all = [...before, ...known, ...forgotten, ...repeated]
  const listed = new Set(['a', 'b', 'd'])
  expect(attemptsKept(all, listed, MOMENTS)).toEqual({
    attempts: [...before, ...known, repeated[1]],
    again: 1,
  })
})
