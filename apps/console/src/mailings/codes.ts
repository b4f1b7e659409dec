import { hrefOf } from '../route/route.ts'
import type { Item } from '../server/server.ts'

/** What a guest shows at the door, as the text of a mailing names it. */
const CODE = /\{\{(qrcode|badge)\}\}/
/** What the address of a new mailing says of its text. */
const QUERY = { text: 'codes' } as const

/** Whether a mailing brings guests their codes. */
export function hasCode({ message }: Item): boolean {
  return CODE.test(String(message))
}

/** The address of the form of a mailing that brings guests their codes. */
export function newCodesHref(event_id: string): string {
  return `${hrefOf('events', event_id, 'mailings', 'new')}?${new URLSearchParams(QUERY)}`
}

/** Whether an address is that of such a form. */
export function isOfCodes({ text }: Readonly<Record<string, string>>): boolean {
  return text === QUERY.text
}
