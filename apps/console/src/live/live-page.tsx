import { useEffect, useRef, useState } from 'preact/hooks'
import { CheckInGuest } from '../check-ins/cells.tsx'
import type { PageProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { useTimes } from '../view/times.ts'
import type { CheckIn, Statistics } from './feed.ts'
import { LivePanel } from './live-panel.tsx'
import { minutesUpTo } from './minutes.ts'
import { ScansPlot } from './scans-plot.tsx'
import { SilentDevices } from './silent-devices.tsx'
import { useLive } from './use-live.ts'
import { type Turning, useTurning } from './use-turning.ts'

/** Minutes of the plot. */
const MINUTES = 90
const TICK_MS = 1_000

/** What happens at the doors, as it happens: readable from afar. */
export function LivePage({ params }: PageProps) {
  const { say, locale } = useConsole()
  const event_id = params.event_id ?? ''
  const { statistics, refusals, isOpen, error } = useLive(event_id)
  const names = useNames(['accesspoint_id', 'guest_category_id', 'area_id'], params)
  const page = useRef<HTMLDivElement>(null)
  const panels = useRef<HTMLDivElement>(null)
  const turning = useTurning(panels, useIsFull() && statistics !== undefined)
  if (error && !isOpen && error.status !== 0) return <Problem error={error} />
  if (!statistics) return isOpen ? <Skeleton /> : <p class="quiet">{say('live_connecting')}</p>
  const number = new Intl.NumberFormat(locale)
  const nameOf = (field: string, id: string): string => names?.[field]?.get(id) ?? '…'
  const most = Math.max(1, ...statistics.by_accesspoint.map(({ granted }) => granted))
  return (
    <div class="live" ref={page}>
      <div class="head">
        <h1>{say('page_live')}</h1>
        <p class="problem" role="status">
          {!isOpen && say('live_connecting')}
        </p>
        <div class="tools">
          <a class="button second" href={hrefOf('events', event_id, 'scan_times')}>
            {say('page_scan_times')}
          </a>
          {document.fullscreenEnabled && (
            <button type="button" class="second" onClick={() => void page.current?.requestFullscreen()}>
              {say('live_full')}
            </button>
          )}
        </div>
      </div>
      <Counts statistics={statistics} />
      <div class="panels" ref={panels}>
        <Bars
          title={say('page_accesspoints')}
          rows={statistics.by_accesspoint.map(({ accesspoint_id, granted, refused }) => ({
            id: accesspoint_id,
            name: nameOf('accesspoint_id', accesspoint_id),
            count: granted,
            of: most,
            text: `${number.format(granted)} · ${say('live_refused_count', { count: number.format(refused) })}`,
          }))}
        />
        <Bars
          title={say('page_guest_categories')}
          rows={statistics.by_guest_category.map(({ guest_category_id, guest_count, checked_in_guest_count }) => ({
            id: guest_category_id,
            name: nameOf('guest_category_id', guest_category_id),
            count: checked_in_guest_count,
            of: Math.max(1, guest_count),
            text: say('live_of', { count: number.format(checked_in_guest_count), of: number.format(guest_count) }),
          }))}
        />
        {statistics.by_area.length > 0 && (
          <Bars
            title={say('page_areas')}
            rows={statistics.by_area.map(({ area_id, inside_count, capacity }) => ({
              id: area_id,
              name: nameOf('area_id', area_id),
              count: inside_count,
              of: Math.max(1, capacity ?? inside_count),
              isFull: capacity !== null && inside_count >= capacity,
              text:
                capacity === null
                  ? say('live_in_area', { count: inside_count })
                  : say('live_in_area_of', { count: inside_count, of: capacity }),
            }))}
          />
        )}
        <LivePanel title={say('live_refusals')} isTall>
          {refusals.length === 0 && <p class="quiet">{say('live_no_refusals')}</p>}
          <ul class="rows" aria-live="polite">
            {refusals.slice(0, 12).map((refusal) => (
              <Refusal key={refusal._id} refusal={refusal} point={nameOf('accesspoint_id', refusal.accesspoint_id)} />
            ))}
          </ul>
        </LivePanel>
        <SilentDevices event_id={event_id} />
      </div>
      <Pages {...turning} />
    </div>
  )
}

/** Which page of the panels a television shows, and how to turn them. */
function Pages({ page, count, isTurning }: Turning) {
  const { say } = useConsole()
  if (count === 1) return null
  return (
    <p class="turn">
      <strong>{say('live_page', { page: page + 1, count })}</strong> {say(isTurning ? 'live_turning' : 'live_standing')}
    </p>
  )
}

/** The counts of the event, and the scans of the last minutes. */
function Counts({ statistics }: { statistics: Statistics }) {
  const { say, locale } = useConsole()
  const { zone } = useTimes()
  const number = new Intl.NumberFormat(locale)
  const minutes = minutesUpTo(useNow(), statistics.timeline, MINUTES)
  // The minute that has just begun says little.
  const lately = minutes.at(-2)?.granted ?? 0
  const granted = statistics.by_status.find(({ access_status }) => access_status === 0)?.count ?? 0
  return (
    <>
      <dl class="tiles">
        <Tile title={say('overview_checked_in_guest_count')} value={number.format(statistics.checked_in_guest_count)} />
        <Tile title={say('live_guests')} value={number.format(statistics.guest_count)} />
        <Tile title={say('live_minute')} value={number.format(lately)} />
        <Tile title={say('live_refused')} value={number.format(statistics.check_in_count - granted)} />
      </dl>
      <section class="panel">
        <h2>
          {say('live_scans')} <span class="quiet">{zone}</span>
        </h2>
        <p class="legend" aria-hidden="true">
          <span class="granted">{say('status_0')}</span> <span class="refused">{say('live_refusals')}</span>
        </p>
        <ScansPlot minutes={minutes} />
      </section>
    </>
  )
}

function Tile({ title, value }: { title: string; value: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value}</dd>
    </div>
  )
}

interface Bar {
  id: string
  name: string
  count: number
  of: number
  /** Nobody fits in any more. */
  isFull?: boolean
  text: string
}

/** Counts as bars, with their numbers. */
function Bars({ title, rows }: { title: string; rows: Bar[] }) {
  const { say } = useConsole()
  return (
    <LivePanel title={title}>
      {rows.length === 0 && <p class="quiet">–</p>}
      <ul class="rows">
        {rows.map(({ id, name, count, of, isFull, text }) => (
          <li key={id} class="bar">
            <span>{name}</span>
            <strong class={isFull ? 'full' : ''}>
              {text}
              {isFull && ` · ${say('live_area_full')}`}
            </strong>
            <meter min={0} max={of} value={count} aria-label={name}>
              {text}
            </meter>
          </li>
        ))}
      </ul>
    </LivePanel>
  )
}

function Refusal({ refusal, point }: { refusal: CheckIn; point: string }) {
  const { say } = useConsole()
  const { access_stamp, access_status, guest_uid } = refusal
  const clock = useTimes().clock({ timeStyle: 'medium' })
  return (
    <li class="row refusal">
      <time dateTime={access_stamp}>{clock.format(Date.parse(access_stamp))}</time>
      <strong class={`status-${access_status}`}>{say(`status_${access_status}` as TextKey)}</strong>
      <span class="whom">
        {/* Nobody has the code of an unknown guest: it is not asked for. */}
        <span>{access_status === 1 ? guest_uid : <CheckInGuest item={{ ...refusal }} />}</span>
        <span class="quiet">{point}</span>
      </span>
    </li>
  )
}

/** Whether something fills the whole screen. */
function useIsFull(): boolean {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [])
  return isFull
}

/** The time, each second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
