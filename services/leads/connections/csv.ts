import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { Download } from '@gatehouse/proto/declaring/resource.ts'
import { plainOf } from '@gatehouse/proto/formats/json-writer.ts'
import { stringify } from 'csv-stringify/sync'
import type { Exhibitor } from '../exhibitors/resource.ts'
import type { guests } from '../permissions.ts'
import { disclosedOf } from './disclosed.ts'
import { listedLead } from './resource.ts'
import type { StoredLead } from './store.ts'

/** Behind the guest's fields, so that whoever counts columns finds the older ones in their places. */
const LAST = ['lead_note', 'lead_rating']
const OWN = ['_id', 'guest_uid', 'author', 'created_at', 'updated_at', 'comments']

/**
 * Leads as CSV below a header: their own columns, with a line for each comment, then the guest's fields that the event lets exhibitors see,
 * empty if the guest is gone, and note and rating. Cells that a spreadsheet would run as a formula begin with `'`.
 */
export async function leadsAsCsv(
  leads: StoredLead[],
  { _id, event_id }: Exhibitor,
  guestClient: Client<typeof guests>,
): Promise<Download> {
  const shown = leads.map(plainOf(listedLead))
  const ids = shown.map(({ guest_id }) => guest_id).filter((id) => id !== '')
  const { fields, byGuest } = await disclosedOf(guestClient, event_id, ids)
  const rows = shown.map(({ _id, guest_uid, author, created_at, updated_at, comments, guest_id, note, rating }) => [
    _id,
    guest_uid,
    author,
    created_at,
    updated_at,
    comments.map((comment) => (typeof comment === 'string' ? comment : JSON.stringify(comment))).join('\n'),
    ...(byGuest.get(guest_id) ?? fields.map(() => undefined)),
    note,
    rating,
  ])
  const header = [...OWN, ...fields.map((field) => (OWN.includes(field) ? `guest ${field}` : field)), ...LAST]
  const csv = stringify([header, ...rows], { escape_formulas: true })
  return { bytes: Buffer.from(csv), filename: `leads-${_id}.csv` }
}
