import type { CellProps } from '../resources/resource.ts'
import { Cell, Nothing } from '../view/cell.tsx'

/** How many people a mailing goes to. */
export function RecipientsCell({ item }: CellProps) {
  return <SendingCount item={item} count={item.nb_recipients} />
}

/** How many of them an e-mail was sent to. */
export function SentCell({ item }: CellProps) {
  return <SendingCount item={item} count={item.nb_email_sent} />
}

/** A count that is known once a mailing was told to send: a 0 before would say that it reaches nobody. */
function SendingCount({ item, count }: CellProps & { count: unknown }) {
  return item.started_at === null ? <Nothing /> : <Cell kind="integer" value={count} />
}
