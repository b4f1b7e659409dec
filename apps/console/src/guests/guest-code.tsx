import type { Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'

/** The QR code which a guest shows at the door, and the badge where there is one: to look at, and to save as files. */
export function GuestCode({ item }: { item: Item }) {
  const { say } = useConsole()
  const { uid, qrcode_url, badge_url, updated_at } = item as Record<string, string | null>
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
        {typeof badge_url === 'string' && (
          <a class="button second" href={pathOf(badge_url)} download={`${uid}.pdf`}>
            {say('guest_badge_save')}
          </a>
        )}
      </div>
    </section>
  )
}

/** The address at this very gateway, from which alone the page may load pictures. */
function pathOf(url: string): string {
  return new URL(url).pathname
}
