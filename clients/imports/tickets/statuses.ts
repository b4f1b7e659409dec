import { foldColumnName } from '@gatehouse/proto/formats/lists/column-names.ts'

/** Whether a ticket is to come in, or why not. */
export type TicketState = 'valid' | 'cancelled' | 'unpaid'

/** Words of ticketing systems, folded; a word may have an addition: `canceled (paid fee)`. The `Void Status` of Tito is `true` or empty. */
const words: Record<TicketState, string> = {
  valid: `paid bezahlt attending checkedin active complete completed incomplete registered confirmed valid free freeorder
    kostenlos manual manualorder offline placed approved partiallyrefunded partiallytransferred teilnehmend eingecheckt
    nimmtteil abgeschlossen false no nein`,
  cancelled: `canceled cancelled storniert refunded erstattet deleted geloscht transferred ubertragen void voided true yes
    ja notattending nimmtnichtteil abandoned declined abgelehnt`,
  unpaid: `pending ausstehend unpaid unbezahlt expired abgelaufen overdue uberfallig awaiting awaitingpayment
    pendingpayment awaitingofflinepayment`,
}

const states = Object.entries(words).flatMap(([state, list]) =>
  list.split(/\s+/).map((word) => [word, state as TicketState] as const),
)
const exact = new Map(states)
const longestFirst = states.filter(([word]) => word.length > 4).sort(([a], [b]) => b.length - a.length)

/** What a status means; undefined for an unknown one. */
export function stateOf(status: string): TicketState | undefined {
  const folded = foldColumnName(status)
  return exact.get(folded) ?? longestFirst.find(([word]) => folded.startsWith(word))?.[1]
}

/** Whether a status says that the guest was checked in. */
export function isCheckedIn(status: string): boolean {
  return ['checkedin', 'eingecheckt'].includes(foldColumnName(status))
}
