import { conflict, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Handlers, handlersOf, type Output } from '@gatehouse/proto/declaring/resource.ts'
import type { WebRequest } from '@gatehouse/proto/pages/exchange.ts'
import type { Dependencies } from '../dependencies.ts'
import { googlePassUrl } from './google-pass.ts'
import { contentFor } from './handlers.ts'
import type { walletPages } from './resource.ts'

type Answer = Output<(typeof walletPages)['actions']['handle']>

/** Where Google's link of a guest leads first: `/api/v1/wallet/<event>/google/<guest>/<secret>`. */
const GOOGLE = /^\/api\/v1\/wallet\/([0-9a-f]{24})\/google\/([0-9a-f]{24})\/([\w-]{43})$/

/** Returns the handler of what phones and browsers ask about passes. */
export function walletPageHandlers(dependencies: Dependencies): Handlers<typeof walletPages> {
  return handlersOf<typeof walletPages, Dependencies>(
    { handle: async (all, { body }) => answer(all, body) },
    dependencies,
  )
}

async function answer(all: Dependencies, { method, url }: WebRequest): Promise<Answer> {
  const { pathname } = new URL(url, 'http://gateway')
  const [isGoogle, event_id = '', guest_id = '', secret = ''] = GOOGLE.exec(pathname) ?? []
  if (isGoogle === undefined || method !== 'GET') throw notFound()
  if (!all.links.holds(secret, 'wallet', event_id, guest_id)) throw notFound()
  if (!all.googlePasses) throw conflict(messageOf('wallet_not_configured', { wallet: 'Google Wallet' }))
  const content = await contentFor(all, { event_id, guest_id })
  return { status: 302, headers: [{ name: 'location', value: googlePassUrl(all.googlePasses, content) }], body: null }
}
