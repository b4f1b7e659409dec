import { flag, optionalText, record } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { binaryResponse, webRequestFields } from '@gatehouse/proto/pages/exchange.ts'

const PKPASS = 'application/vnd.apple.pkpass'
const link = { maxLength: 4_000 }

/** Passes of guests for Apple Wallet and Google Wallet. */
export const walletPasses = resource('badges.wallet_passes', 'wallet_pass', {
  read: {
    route: 'GET events/:event_id/guests/:guest_id/wallet',
    scope: 'read',
    summary:
      "The public links to a guest's passes for Apple Wallet and Google Wallet; null where the installation has no certificate for them. As pkpass the pass for Apple Wallet itself, or 409 without a certificate",
    reply: record({
      apple_url: optionalText({ ...link, description: 'Gives the pass for Apple Wallet; on an iPhone it is added' }),
      google_url: optionalText({ ...link, description: 'Leads to Google, where the pass is saved' }),
    }),
    produces: { pkpass: PKPASS },
  },
  apple: {
    route: 'GET events/:event_id/guests/:guest_id/wallet/:secret',
    secret: 'secret',
    summary: 'The pass of a guest for Apple Wallet; the address is the apple_url of the wallet pass',
    produces: { pkpass: PKPASS },
  },
  offered: {
    summary: 'For which wallets the installation makes passes',
    reads: true,
    body: record({}),
    reply: record({ apple: flag(), google: flag() }),
  },
})

/** What phones and browsers are answered below `/api/v1/wallet/`, whose paths and headers Apple and Google lay down. */
export const walletPages = resource('badges.wallet_pages', 'wallet_page', {
  handle: {
    summary: 'Answers an HTTP request of a phone or browser for a wallet pass',
    body: record(webRequestFields),
    reply: binaryResponse,
  },
})
