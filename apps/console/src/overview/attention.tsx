import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { failureWords, hasFailed } from '../devices/self-test.tsx'
import { withoutEmailHref } from '../guests/without-email.ts'
import { silentOf } from '../live/silent-devices.tsx'
import { usePending } from '../registrations/pending.ts'
import { hrefOf } from '../route/route.ts'
import { client } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { useTimes } from '../view/times.ts'

/** How often the page looks for what needs attention. */
const READ_EVERY_MS = 30_000
/** Conflicts and guests are counted up to this number. */
const MOST = 100

/** What someone should look at: registrations that wait, devices that are silent or failed their test, campaigns and mailings that are paused, scans that a device decided otherwise, and guests to whom no code could be sent. */
export function Attention({ event_id, areCodesSent }: { event_id: string; areCodesSent: boolean }) {
  const { say, locale } = useConsole()
  const times = useTimes()
  const pending = usePending(event_id)
  const { value } = useLoaded(
    (signal) => attentionOf(event_id, areCodesSent, signal),
    [event_id, areCodesSent],
    READ_EVERY_MS,
  )
  if (!value) return null
  const { silent, failing, paused, conflicts, codeless } = value
  const at = (...place: string[]) => hrefOf('events', event_id, ...place)
  const items = [
    pending !== undefined && { words: say('attention_pending', { count: pending }), href: at('registrations') },
    silent > 0 && { words: say('attention_silent', { count: silent }), href: at('live') },
    ...failing.map((device) => ({
      words: dotted([device.name, failureWords(say, times, locale, device)]),
      href: at('devices', device._id),
    })),
    ...paused.map(({ name, place }) => ({ words: say('attention_paused', { partner: name }), href: at(...place) })),
    conflicts > 0 && { words: say('attention_conflicts', { count: upToMost(conflicts) }), href: at('access_controls') },
    codeless > 0 && {
      words: say('attention_without_email', { count: upToMost(codeless) }),
      href: withoutEmailHref(event_id, { checked_in: 'false' }),
    },
  ].filter((item) => item !== false)
  return (
    <section class="panel">
      <h2>{say('attention')}</h2>
      {items.length === 0 && <p class="quiet">{say('attention_none')}</p>}
      <ul class="rows">
        {items.map(({ words, href }) => (
          <li key={href}>
            <a href={href}>{words}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A count that is not counted further. */
function upToMost(count: number): string {
  return count === MOST ? `${MOST}+` : String(count)
}

async function attentionOf(event_id: string, areCodesSent: boolean, signal: AbortSignal) {
  const path = { event_id }
  const query = { conflicts: true, per_page: MOST }
  const codeless = { has_email: false, checked_in: false, per_page: MOST }
  const [{ data: devices, response }, { data: partners }, { data: mailings }, { data: conflicts }, guests] =
    await Promise.all([
      client.GET('/api/v1/events/{event_id}/devices.json', { params: { path }, signal }),
      client.GET('/api/v1/events/{event_id}/partners.json', { params: { path }, signal }),
      client.GET('/api/v1/events/{event_id}/mailings.json', { params: { path }, signal }),
      client.GET('/api/v1/events/{event_id}/access_controls.json', { params: { path, query }, signal }),
      areCodesSent
        ? client.GET('/api/v1/events/{event_id}/guests.json', { params: { path, query: codeless }, signal })
        : { data: [] },
    ])
  const now = Date.parse(response.headers.get('date') ?? '')
  const isPaused = ({ partner_campaigns }: (typeof partners)[number]) =>
    partner_campaigns.some(({ paused_at }) => paused_at !== null)
  return {
    silent: silentOf(devices, now).length,
    failing: devices.filter(hasFailed),
    paused: [
      ...partners.filter(isPaused).map(({ _id, name }) => ({ name, place: ['partners', _id] })),
      ...mailings
        .filter(({ paused_at, is_sent }) => paused_at !== null && !is_sent)
        .map(({ _id, name }) => ({ name, place: ['mailings', _id] })),
    ],
    conflicts: conflicts.length,
    codeless: guests.data.length,
  }
}
