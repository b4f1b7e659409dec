import { unlessRefused } from '@gatehouse/proto/declaring/faults.ts'
import type { Say } from '@gatehouse/proto/pages/languages.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import { isAdmitted } from '../../delivery/invitations/answers.ts'
import { guestIdOf, type StoredInvitation } from '../../delivery/invitations/store.ts'
import { offeredWallets, type WalletLink, walletLinksOf } from '../../delivery/wallet-links.ts'
import type { Dependencies } from '../../dependencies.ts'

/** What a guest shows at the entrance, and where to keep it. */
export interface Ticket {
  qrcode_url: string
  wallets: WalletLink[]
}

/** The ticket of a guest who comes; null of others. */
export async function ticketOf(
  dependencies: Pick<Dependencies, 'guestClient' | 'walletClient' | 'publicLinks'>,
  registration: StoredInvitation,
): Promise<Ticket | null> {
  if (!isAdmitted(registration)) return null
  const { event_id } = registration
  const id = guestIdOf(registration)
  const [guest, offered] = await Promise.all([
    // The organizer may have deleted the guest.
    unlessRefused(
      dependencies.guestClient.read({ params: { event_id, id }, query: { qrcode_url: true } }),
      'not_found',
    ),
    offeredWallets(dependencies),
  ])
  if (!guest?.qrcode_url) return null
  return { qrcode_url: guest.qrcode_url, wallets: walletLinksOf(dependencies, offered, event_id, id) }
}

/** A ticket on a page; `mailed` says where it is sent too. */
export function ticketMarkup(
  { qrcode_url, wallets }: Ticket,
  say: Say<'qrcode' | 'show_qrcode' | WalletLink['text']>,
  mailed = '',
): Markup {
  const links = wallets.map(({ text, url }) => html`<a class="wallet" href="${new URL(url).pathname}">${say(text)}</a>`)
  return html`<p>${say('show_qrcode')}</p>${mailed && html`<p>${mailed}</p>`}<img src="${new URL(qrcode_url).pathname}" alt="${say('qrcode')}" width="256" height="256">${links}`
}
