import { client } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { LivePanel } from './live-panel.tsx'

const LIST = '/api/v1/events/{event_id}/devices.json'
/** Devices report more often than this while their app is open. */
const SILENT_MS = 60_000
const READ_EVERY_MS = 10_000

/** A device as far as its silence shows. */
interface Reporting {
  _id: string
  name: string
  enrolled_at: string | null
  last_seen_at: string | null
}

/** The devices that are in use and have not reported for a minute: the longest silent first. */
export function silentOf<Device extends Reporting>(devices: readonly Device[], now: number): Device[] {
  return devices
    .filter(({ enrolled_at, last_seen_at }) => enrolled_at !== null && silenceOf(last_seen_at, now) >= SILENT_MS)
    .sort((one, other) => silenceOf(other.last_seen_at, now) - silenceOf(one.last_seen_at, now))
}

function silenceOf(seen: string | null, now: number): number {
  return seen === null ? Number.POSITIVE_INFINITY : now - Date.parse(seen)
}

/** Which devices of an event do not report, by the server's clock. Those that wait for their phone are none of them. */
export function SilentDevices({ event_id }: { event_id: string }) {
  const { say } = useConsole()
  const { value } = useLoaded(
    async (signal) => {
      const { data, response } = await client.GET(LIST, { params: { path: { event_id } }, signal })
      return { devices: data, now: Date.parse(response.headers.get('date') ?? '') }
    },
    [event_id],
    READ_EVERY_MS,
  )
  if (!value) return null
  const { devices, now } = value
  const silent = silentOf(devices, now)
  const inUse = devices.filter(({ enrolled_at }) => enrolled_at !== null).length
  return (
    <LivePanel title={say('live_devices')}>
      <p class="quiet">{say('live_reporting', { count: inUse - silent.length, of: inUse })}</p>
      {silent.length > 0 && (
        <ul class="rows" aria-live="polite">
          {silent.map(({ _id, name, last_seen_at }) => (
            <li key={_id} class="row">
              <strong>{name}</strong>
              <span class="status-1">
                {last_seen_at === null
                  ? say('live_never')
                  : say('live_silent', { minutes: Math.floor((now - Date.parse(last_seen_at)) / 60_000) })}
              </span>
            </li>
          ))}
        </ul>
      )}
    </LivePanel>
  )
}
