import type { PageProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { client } from '../server/server.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { SCAN_TIMES, type Verdict, verdictOf, type Waits } from './verdict.ts'

const DEVICES = '/api/v1/events/{event_id}/devices.json'
const POINTS = '/api/v1/events/{event_id}/accesspoints.json'
const READ_EVERY_MS = 10_000
/** The answer while the times cannot be read, whereas scans go on. */
const UNREADABLE = 503

const verdicts: Record<Verdict, { words: TextKey; look: string }> = {
  gatehouse: { words: 'scan_times_gatehouse_slow', look: 'problem' },
  network: { words: 'scan_times_network_slow', look: 'problem' },
  fine: { words: 'scan_times_fine', look: 'status-0' },
  unknown: { words: 'scan_times_gatehouse_fast', look: 'status-0' },
  few: { words: 'scan_times_few', look: 'quiet' },
}

/** Which check-in points and devices are slow, and whether for the network or for Gatehouse. */
export function ScanTimesPage({ params }: PageProps) {
  const { say } = useConsole()
  const event_id = params.event_id ?? ''
  const { value, error, reload } = useLoaded(
    async (signal) => {
      const request = { params: { path: { event_id } }, signal }
      const [times, points, devices] = await Promise.all([
        client.GET(SCAN_TIMES, request),
        client.GET(POINTS, request),
        client.GET(DEVICES, request),
      ])
      const named = [...points.data, ...devices.data]
      return { ...times.data, names: new Map(named.map(({ _id, name }) => [_id, name])) }
    },
    [event_id],
    READ_EVERY_MS,
  )
  const names = value?.names ?? new Map<string, string>()
  return (
    <>
      <div class="head">
        <h1>{say('page_scan_times')}</h1>
      </div>
      <p class="quiet">{say('scan_times_text')}</p>
      {error &&
        (error.status === UNREADABLE ? (
          <p class="notice bad" role="alert">
            {say('scan_times_unreadable')}
          </p>
        ) : (
          <Problem error={error} retry={reload} />
        ))}
      {!value && !error && <Skeleton />}
      {value?.by_accesspoint.length === 0 && !error && (
        <p class="notice">
          {say('scan_times_empty')} <a href={hrefOf('events', event_id, 'devices')}>{say('page_devices')}</a>
        </p>
      )}
      {value && value.by_accesspoint.length > 0 && (
        <div class="panels">
          <Times
            title={say('page_accesspoints')}
            rows={value.by_accesspoint.map(({ accesspoint_id: id, ...waits }) => ({ id, waits }))}
            {...{ names, unnamed: say('scan_times_gone'), within: ['events', event_id, 'accesspoints'] }}
          />
          <Times
            title={say('page_devices')}
            rows={value.by_device.map(({ token_id: id, ...waits }) => ({ id, waits }))}
            {...{ names, unnamed: say('scan_times_other'), within: ['events', event_id, 'devices'] }}
          />
        </div>
      )}
    </>
  )
}

interface TimesProps {
  title: string
  rows: { id: string; waits: Waits }[]
  names: ReadonlyMap<string, string>
  /** What is said of those without a name. */
  unnamed: string
  /** The route of the list in which those with one are. */
  within: string[]
}

function Times({ title, rows, names, unnamed, within }: TimesProps) {
  const { say } = useConsole()
  return (
    <section class="panel">
      <h2>{title}</h2>
      <ul class="rows">
        {rows.map(({ id, waits }) => {
          const name = names.get(id)
          const { words, look } = verdicts[verdictOf(waits)]
          return (
            <li key={id} class="waits">
              <h3>{name === undefined ? unnamed : <a href={hrefOf(...within, id)}>{name}</a>}</h3>{' '}
              <strong class={look}>{say(words)}</strong>
              <WaitFacts waits={waits} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The times on the device and in Gatehouse, and what became of slow scans. */
function WaitFacts({ waits: { in_gatehouse, at_device } }: { waits: Waits }) {
  const { say, locale } = useConsole()
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const unanswered = Math.max(at_device.unanswered_count, in_gatehouse.unanswered_count)
  return (
    <dl>
      <TimeFact title={say('scan_times_phone')} times={at_device} />
      <TimeFact title={say('scan_times_in_gatehouse')} times={in_gatehouse} />
      {at_device.slow_count > 0 && (
        <Fact title={say('scan_times_over')}>
          {say('scan_times_because', {
            count: at_device.slow_count,
            share: share.format(at_device.slow_count / at_device.scan_count),
            network: at_device.slow_on_network_count,
          })}
        </Fact>
      )}
      {unanswered > 0 && (
        <Fact title={say('scan_times_unanswered')}>{say('scan_times_scans', { count: unanswered })}</Fact>
      )}
      {at_device.alone_count > 0 && (
        <Fact title={say('scan_times_alone')}>{say('scan_times_scans', { count: at_device.alone_count })}</Fact>
      )}
    </dl>
  )
}

function TimeFact({ title, times }: { title: string; times: Waits['in_gatehouse'] }) {
  const { say, locale } = useConsole()
  const lasting = (ms: number): string => {
    const [unit, count] = ms < 1_000 ? ['millisecond', ms] : ['second', ms / 1_000]
    const format = { style: 'unit', unit, maximumFractionDigits: 1 } as const
    return count.toLocaleString(locale, format).replaceAll(' ', '\u00a0')
  }
  const { scan_count, median_ms, p95_ms, worst_ms } = times
  if (median_ms === null || p95_ms === null || worst_ms === null)
    return <Fact title={title}>{say('scan_times_unreported')}</Fact>
  return (
    <Fact title={title}>
      {say('scan_times_steps', {
        median: lasting(median_ms),
        p95: lasting(p95_ms),
        worst: lasting(worst_ms),
        count: scan_count,
      })}
    </Fact>
  )
}

function Fact({ title, children }: { title: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
