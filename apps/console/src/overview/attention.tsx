import { silentOf } from '../live/silent-devices.tsx'
import { usePending } from '../registrations/pending.ts'
import { hrefOf } from '../route/route.ts'
import { client } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'

/** How often the page looks for what needs attention. */
const READ_EVERY_MS = 30_000
/** Conflicts are counted up to this number. */
const MOST = 100

/** What someone should look at: registrations that wait, devices that are silent, campaigns that have paused themselves, and scans that a device decided otherwise. */
export function Attention({ event_id }: { event_id: string }) {
  const { say } = useConsole()
  const pending = usePending(event_id)
  const { value } = useLoaded((signal) => attentionOf(event_id, signal), [event_id], READ_EVERY_MS)
  if (!value) return null
  const { silent, paused, conflicts } = value
  const items = [
    pending !== undefined && { words: say('attention_pending', { count: pending }), place: ['registrations'] },
    silent > 0 && { words: say('attention_silent', { count: silent }), place: ['live'] },
    ...paused.map(({ name, partner_id }) => ({
      words: say('attention_paused', { partner: name }),
      place: ['partners', partner_id],
    })),
    conflicts > 0 && {
      words: say('attention_conflicts', { count: conflicts === MOST ? `${MOST}+` : conflicts }),
      place: ['access_controls'],
    },
  ].filter((item) => item !== false)
  return (
    <section class="panel">
      <h2>{say('attention')}</h2>
      {items.length === 0 && <p class="quiet">{say('attention_none')}</p>}
      <ul class="rows">
        {items.map(({ words, place }) => (
          <li key={words}>
            <a href={hrefOf('events', event_id, ...place)}>{words}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

async function attentionOf(event_id: string, signal: AbortSignal) {
  const params = { path: { event_id } }
  const query = { conflicts: true, per_page: MOST }
  const [{ data: devices, response }, { data: partners }, { data: conflicts }] = await Promise.all([
    client.GET('/api/v1/events/{event_id}/devices.json', { params, signal }),
    client.GET('/api/v1/events/{event_id}/partners.json', { params, signal }),
    client.GET('/api/v1/events/{event_id}/access_controls.json', { params: { ...params, query }, signal }),
  ])
  const now = Date.parse(response.headers.get('date') ?? '')
  const isPaused = ({ partner_campaigns }: (typeof partners)[number]) =>
    partner_campaigns.some(({ paused_at }) => paused_at !== null)
  return {
    silent: silentOf(devices, now).length,
    paused: partners.filter(isPaused).map(({ _id, name }) => ({ partner_id: _id, name })),
    conflicts: conflicts.length,
  }
}
