import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { Download } from '@gatehouse/proto/declaring/resource.ts'
import { plainOf } from '@gatehouse/proto/formats/json-writer.ts'
import { stringify } from 'csv-stringify/sync'
import type { guests } from '../permissions.ts'
import { disclosedOf } from './disclosed.ts'
import { listedLead } from './resource.ts'
import type { StoredLead } from './store.ts'

/** Of leads of several exhibitors. */
const OF_EXHIBITOR = ['exhibitor_name', 'exhibitor_id']
/** Behind the guest's fields, so that whoever counts columns finds the older ones in their places. */
const LAST = ['lead_note', 'lead_rating']
const OWN = ['_id', 'guest_uid', 'author', 'created_at', 'updated_at', 'comments']

/** A file of leads of an event. */
interface LeadFile {
  event_id: string
  filename: string
  /** The names of the exhibitors, if the leads are of several. */
  exhibitors?: ReadonlyMap<string, string>
}

/**
 * Leads as CSV below a header: their own columns, with a line for each comment, then the guest's fields that the event lets exhibitors see,
 * empty if the guest is gone, note and rating, and the exhibitor where there may be several. Cells that a spreadsheet would run as a formula begin with `'`.
 */
export async function leadsAsCsv(
  leads: StoredLead[],
  { event_id, filename, exhibitors }: LeadFile,
  guestClient: Client<typeof guests>,
): Promise<Download> {
  const shown = leads.map(plainOf(listedLead))
  const ids = shown.map(({ guest_id }) => guest_id).filter((id) => id !== '')
  const { fields, byGuest } = await disclosedOf(guestClient, event_id, ids)
  const rows = shown.map(({ comments, guest_id, note, rating, exhibitor_id, ...lead }) => [
    lead._id,
    lead.guest_uid,
    lead.author,
    lead.created_at,
    lead.updated_at,
    comments.map((comment) => (typeof comment === 'string' ? comment : JSON.stringify(comment))).join('\n'),
    ...(byGuest.get(guest_id) ?? fields.map(() => undefined)),
    note,
    rating,
    ...(exhibitors ? [exhibitors.get(exhibitor_id), exhibitor_id] : []),
  ])
  const last = [...LAST, ...(exhibitors ? OF_EXHIBITOR : [])]
  const taken = [...OWN, ...(exhibitors ? OF_EXHIBITOR : [])]
  const header = [...OWN, ...fields.map((field) => (taken.includes(field) ? `guest ${field}` : field)), ...last]
  const csv = stringify([header, ...rows], { escape_formulas: true })
  return { bytes: Buffer.from(csv), filename }
}
