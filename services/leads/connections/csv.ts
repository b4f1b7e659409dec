import type { Client } from '@gatehouse/proto/bus/client.ts'
import { inChunks } from '@gatehouse/proto/concurrency/chunks.ts'
import type { Download } from '@gatehouse/proto/declaring/resource.ts'
import { plainOf } from '@gatehouse/proto/formats/json-writer.ts'
import { stringify } from 'csv-stringify/sync'
import type { Exhibitor } from '../exhibitors/resource.ts'
import type { guests } from '../permissions.ts'
import { listedLead } from './resource.ts'
import type { StoredLead } from './store.ts'

const OWN = ['_id', 'guest_uid', 'author', 'created_at', 'updated_at', 'comments']

/**
 * Leads as CSV below a header: their own columns, with a line for each comment, then the guest's fields that the event lets exhibitors see,
 * empty if the guest is gone. Cells that a spreadsheet would run as a formula begin with `'`.
 */
export async function leadsAsCsv(
  leads: StoredLead[],
  { _id, event_id }: Exhibitor,
  guestClient: Client<typeof guests>,
): Promise<Download> {
  const { fields } = await guestClient.disclosed({ body: { event_id, by: '_id', keys: [] } })
  const shown = leads.map(plainOf(listedLead))
  const ids = shown.map(({ guest_id }) => guest_id).filter((id) => id !== '')
  const disclosed = await inChunks(ids, async (keys) => {
    const answer = await guestClient.disclosed({ body: { event_id, by: '_id', keys } })
    // The whitelist may have changed meanwhile.
    return answer.guests.map(({ key, values }) => {
      const byField = new Map(answer.fields.map((field, index) => [field, values[index]]))
      return [key, fields.map((field) => byField.get(field))] as const
    })
  })
  const byGuest = new Map(disclosed)
  const rows = shown.map(({ _id, guest_uid, author, created_at, updated_at, comments, guest_id }) => [
    _id,
    guest_uid,
    author,
    created_at,
    updated_at,
    comments.map((comment) => (typeof comment === 'string' ? comment : JSON.stringify(comment))).join('\n'),
    ...(byGuest.get(guest_id) ?? fields.map(() => undefined)),
  ])
  const header = [...OWN, ...fields.map((field) => (OWN.includes(field) ? `guest ${field}` : field))]
  const csv = stringify([header, ...rows], { escape_formulas: true })
  return { bytes: Buffer.from(csv), filename: `leads-${_id}.csv` }
}
