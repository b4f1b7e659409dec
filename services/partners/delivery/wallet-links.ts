import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Say } from '@gatehouse/proto/pages/languages.ts'
import { html, type Markup } from '@gatehouse/proto/pages/markup.ts'
import type { DeliveryDependencies } from '../dependencies.ts'
import type { walletPasses } from '../permissions.ts'

/** For which wallets there are passes. */
export type Wallets = Output<(typeof walletPasses)['actions']['offered']>

/** A link by which guests add their pass to a wallet, with the text that its maker prescribes. */
export interface WalletLink {
  text: 'add_apple' | 'add_google'
  url: string
}

/** Returns for which wallets there are passes; none while the badges service does not answer, since e-mails and pages do without. */
export async function offeredWallets({ walletClient }: Pick<DeliveryDependencies, 'walletClient'>): Promise<Wallets> {
  return walletClient.offered({ body: {} }).catch(() => ({ apple: false, google: false }))
}

/** Returns the links to a guest's passes. */
export function walletLinksOf(
  { publicLinks }: Pick<DeliveryDependencies, 'publicLinks'>,
  { apple, google }: Wallets,
  event_id: string,
  guest_id: string,
): WalletLink[] {
  return [
    ...(apple ? [{ text: 'add_apple' as const, url: publicLinks.of('wallet', event_id, guest_id) }] : []),
    ...(google ? [{ text: 'add_google' as const, url: publicLinks.ofGooglePass(event_id, guest_id) }] : []),
  ]
}

/** The links as the text part of an e-mail has them; empty without links. */
export function walletText(links: readonly WalletLink[], say: Say<WalletLink['text']>): string {
  return links.map(({ text, url }) => `${say(text)}\n${url}`).join('\n\n')
}

/** The links as HTML: buttons of an e-mail, drawn by `button`. */
export function walletButtons(
  links: readonly WalletLink[],
  say: Say<WalletLink['text']>,
  button: (url: string, label: Markup) => Markup,
): Markup[] {
  return links.map(({ text, url }) => html`${button(url, html`${say(text)}`)} `)
}
