import type { PageProps } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useBadge } from './use-badge.ts'
import { WalletLinks } from './wallet-links.tsx'

/** The QR code that a guest shows at the door, and the badge as soon as there is one: to look at, and to save as files. */
export function GuestCode({ params, item }: PageProps & { item: Item }) {
  const { say } = useConsole()
  const badge = useBadge(params, item)
  const { uid, qrcode_url, updated_at } = item as Record<string, string | null>
  if (typeof qrcode_url !== 'string') return null
  // Browsers keep the picture for some minutes; after a change of the guest it is another one.
  const picture = `${pathOf(qrcode_url)}?${new URLSearchParams({ updated_at: String(updated_at) })}`
  return (
    <section class="guest-code">
      <h2>{say('guest_code')}</h2>
      <img class="qr-code" src={picture} alt={String(uid)} />
      <div class="buttons">
        <a class="button second" href={picture} download={`${uid}.png`}>
          {say('guest_code_save')}
        </a>
        {badge && badge !== 'coming' && (
          <a class="button second" href={pathOf(badge.url)} download={`${uid}.pdf`}>
            {say('guest_badge_save')}
          </a>
        )}
        <WalletLinks params={params} />
        <output class="quiet">{badge === 'coming' && say('guest_badge_coming')}</output>
      </div>
    </section>
  )
}

/** The address at this very gateway, from which alone the page may load pictures. */
function pathOf(url: string): string {
  return new URL(url).pathname
}
