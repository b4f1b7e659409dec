import { conflict, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Handlers, handlersOf, type Output } from '@gatehouse/proto/declaring/resource.ts'
import type { WebRequest } from '@gatehouse/proto/pages/exchange.ts'
import type { Dependencies } from '../dependencies.ts'
import { versionOf } from './content.ts'
import { googlePassUrl } from './google-pass.ts'
import { contentFor } from './handlers.ts'
import type { walletPages } from './resource.ts'
import { answerDevice } from './updates/web-service.ts'

type Answer = Output<(typeof walletPages)['actions']['handle']>

/** `/api/v1/wallet/<event>`, and what is asked of it. */
const PATH = /^\/api\/v1\/wallet\/([0-9a-f]{24})(\/.*)$/
/** Where Google's link of a guest leads first. */
const GOOGLE = /^\/google\/([0-9a-f]{24})\/([\w-]{43})$/

/** Returns the handler of what phones and browsers ask about passes. */
export function walletPageHandlers(dependencies: Dependencies): Handlers<typeof walletPages> {
  return handlersOf<typeof walletPages, Dependencies>(
    { handle: async (all, { body }) => answer(all, body) },
    dependencies,
  )
}

async function answer(all: Dependencies, request: WebRequest): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url, 'http://gateway')
  const [, event_id = '', path = ''] = PATH.exec(pathname) ?? []
  const [isGoogle, guest_id = '', secret = ''] = GOOGLE.exec(path) ?? []
  if (isGoogle !== undefined && request.method === 'GET') return toGoogle(all, event_id, guest_id, secret)
  if (!all.applePasses) throw notFound()
  return answerDevice({ all, signing: all.applePasses, event_id, request }, path, searchParams)
}

async function toGoogle(all: Dependencies, event_id: string, guest_id: string, secret: string): Promise<Answer> {
  if (!all.links.holds(secret, 'wallet', event_id, guest_id)) throw notFound()
  if (!all.googlePasses) throw conflict(messageOf('wallet_not_configured', { wallet: 'Google Wallet' }))
  const content = await contentFor(all, { event_id, guest_id })
  const guest = await all.guests.printed(event_id, guest_id)
  if (guest) await all.heldPasses.hold({ event_id, guest_id }, guest.uid, versionOf(content), 'google')
  return { status: 302, headers: [{ name: 'location', value: googlePassUrl(all.googlePasses, content) }], body: null }
}
