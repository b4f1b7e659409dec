import { escapeFormula } from '@gatehouse/proto/formats/lists/formulas.ts'
import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { pageHeaders } from '@gatehouse/proto/pages/layout.ts'
import { stringify } from 'csv-stringify/sync'
import type { StoredCampaign } from '../../campaigns/partner-campaigns/store.ts'
import type { Dependencies } from '../../dependencies.ts'

const FAILED = ['bounced', 'rejected'] as const
const COLUMNS = ['email', 'first_name', 'last_name', 'state', 'reason'] as const
/** Rows of each state: an answer over the bus is bounded. */
const MAX_ROWS = 20_000
const PAGE = 500
/** Lets spreadsheets recognize UTF-8. */
const BYTE_ORDER_MARK = '\u{feff}'

/** The addresses of a campaign that came back or were refused, newest first, as CSV. */
export async function failedAddresses({ invitations }: Dependencies, campaign: StoredCampaign): Promise<WebResponse> {
  const rows: string[][] = [[...COLUMNS]]
  for (const state of FAILED) {
    for (let page = 1; page * PAGE <= MAX_ROWS; page++) {
      const found = (await invitations.page(campaign, { state, page, per_page: PAGE })).decoded()
      rows.push(...found.map((each) => COLUMNS.map((column) => escapeFormula(each[column] ?? ''))))
      if (found.length < PAGE) break
    }
  }
  return toAnswer({
    status: 200,
    headers: {
      ...pageHeaders,
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="addresses.csv"',
    },
    body: BYTE_ORDER_MARK + stringify(rows, { record_delimiter: 'windows' }),
  })
}
