import { conflict, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Download, type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Owner } from '../owners.ts'
import { applePassOf } from './apple-pass.ts'
import type { PassContent } from './content.ts'
import type { walletPasses } from './resource.ts'

/** Returns the handlers of wallet passes. They are made for each request. */
export function walletPassHandlers(dependencies: Dependencies): Handlers<typeof walletPasses> {
  return handlersOf<typeof walletPasses, Dependencies>(
    {
      async read(all, { params: { event_id, guest_id }, format }) {
        if (format === 'pkpass') return appleFile(all, { event_id, guest_id })
        if (!(await all.guests.printed(event_id, guest_id))) throw notFound()
        return {
          apple_url: all.applePasses ? all.links.of('wallet', event_id, guest_id) : null,
          google_url: all.googlePasses ? all.links.ofGooglePass(event_id, guest_id) : null,
        }
      },
      apple: async (all, { params }) => appleFile(all, opened(all, params)),
      offered: async ({ applePasses, googlePasses }) => ({
        apple: applePasses !== undefined,
        google: googlePasses !== undefined,
      }),
    },
    dependencies,
  )
}

/** The guest of a public link. Throws `not_found` for a link that was not made here. */
function opened({ links }: Dependencies, { event_id, guest_id, secret }: Owner & { secret: string }): Owner {
  if (!links.holds(secret, 'wallet', event_id, guest_id)) throw notFound()
  return { event_id, guest_id }
}

async function appleFile(all: Dependencies, owner: Owner): Promise<Download> {
  const content = await contentFor(all, owner)
  if (!all.applePasses) throw conflict(messageOf('wallet_not_configured', { wallet: 'Apple Wallet' }))
  const logo = await all.passEvents.png(content.logo_url)
  const bytes = await applePassOf(all.applePasses, content, logo, all.updateSources.of(owner.event_id, owner.guest_id))
  return { bytes, filename: 'ticket.pkpass' }
}

/** What the pass of a guest says. Throws `not_found` if there is no such guest. */
export async function contentFor({ passContents }: Dependencies, owner: Owner): Promise<PassContent> {
  const content = await passContents.get(owner)
  if (!content) throw notFound()
  return content
}
