import type { StoredLead } from './lead.ts'

const OWN = ['guest_uid', 'author', 'created_at', 'rating', 'note'] as const
/** Spreadsheets run cells as formulas that begin so. */
const FORMULA = /^[=+\-@\t\r]/
/** By this Excel tells that a file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Leads as CSV: what the event shows of the guests, and what the stand has noted. Cells that a spreadsheet would run as a formula begin with `'`. */
export function csvOf(leads: readonly StoredLead[]): string {
  const fields = [...new Set(leads.flatMap(({ guest }) => Object.keys(guest ?? {})))].filter((field) => field !== 'uid')
  const rows = leads.map((lead) => [
    ...fields.map((field) => lead.guest?.[field]),
    // A code that nobody has read yet, so that it is not lost.
    ...OWN.map((field) => (field === 'guest_uid' ? (lead.guest_uid ?? lead.key) : lead[field])),
  ])
  const lines = [[...fields, ...OWN], ...rows].map((cells) => cells.map(cellOf).join(','))
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`
}

function cellOf(value: string | number | null | undefined): string {
  const text = String(value ?? '')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
