import { useState } from 'preact/hooks'
import { QrCode } from '../devices/device-code.tsx'
import type { PageProps } from '../resources/resource.ts'
import { client, type Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'

const READ_EVERY_MS = 15_000

/** The registration page of a category: its address and QR code, whether it is open, and how many have registered. */
export function RegistrationPage({ params, item }: PageProps & { item: Item }) {
  const { say, locale } = useConsole()
  const [isCopied, setCopied] = useState(false)
  const path = { event_id: params.event_id ?? '', guest_category_id: String(item._id) }
  const { value } = useLoaded(
    async (signal) =>
      (
        await client.GET('/api/v1/events/{event_id}/guest_categories/{guest_category_id}/registration_page.json', {
          params: { path },
          signal,
        })
      ).data,
    [path.guest_category_id, item.updated_at],
    READ_EVERY_MS,
  )
  if (!value || item.registration_enabled !== true) return null
  const { url, qr_code, state, person_count, registration_limit } = value
  const [count, limit] = [person_count, registration_limit].map((each) => each?.toLocaleString(locale))
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(url)
    setCopied(true)
  }
  return (
    <section class="notice device-code">
      <div>
        <h2>{say('registration_page')}</h2>
        <p>
          <strong>{say(`registration_${state}`)}</strong>{' '}
          {limit === undefined
            ? say('registration_count', { count: count ?? '' })
            : say('registration_count_of', { count: count ?? '', limit })}
        </p>
        <a href={url} target="_blank" rel="noopener">
          {url}
        </a>
        {/* Browsers give the clipboard to pages with https only. */}
        {isSecureContext && (
          <div class="buttons">
            <button type="button" class="second" onClick={() => void copy()}>
              {say(isCopied ? 'copied' : 'copy')}
            </button>
          </div>
        )}
      </div>
      <QrCode svg={qr_code} label={say('registration_page')} />
    </section>
  )
}
