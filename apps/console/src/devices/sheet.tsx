import type { Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useEvent } from '../view/event.ts'
import { useTimes } from '../view/times.ts'
import { QrCode } from './device-code.tsx'
import { pointsOf } from './points.tsx'

/** How many devices a printed page may have, with the class of its page. */
export const LAYOUTS = { one: 1, four: 4 } as const
export type Layout = keyof typeof LAYOUTS

interface Props {
  devices: readonly Item[]
  layout: Layout
  points: ReadonlyMap<string, string> | undefined
}

/** The codes of devices as they are printed, one device or four on a page. */
export function Sheet({ devices, layout, points }: Props) {
  const size = LAYOUTS[layout]
  const pages = Array.from({ length: Math.ceil(devices.length / size) }, (_, index) =>
    devices.slice(index * size, (index + 1) * size),
  )
  return (
    <section class="sheet">
      {pages.map((page) => (
        <div key={String(page[0]?._id)} class={`sheet-page ${layout}`}>
          {page.map((device) => (
            <SheetCard key={String(device._id)} device={device} points={points} />
          ))}
        </div>
      ))}
    </section>
  )
}

/** A device with its code: what it is called, where it scans or prints, and what to do. */
function SheetCard({ device, points }: { device: Item; points: Props['points'] }) {
  const { say } = useConsole()
  const { event } = useEvent()
  const times = useTimes()
  const { name, kind, code, url, qr_code, code_expires_at } = device as Record<string, string>
  const address = String(url).replace(/#.*/, '')
  const isPrinter = kind === 'printer'
  return (
    <article class="sheet-card">
      <p class="quiet">{String(event?.title ?? '')}</p>
      <h2>{name}</h2>
      <p class="points">{pointsOf(say, device, points)}</p>
      <QrCode svg={String(qr_code)} label={String(code)} />
      <p>{say(isPrinter ? 'sheet_printer' : 'device_code')}</p>
      <p>{say(isPrinter ? 'sheet_type_here' : 'device_code_type', { url: address })}</p>
      <code class="secret">{code}</code>
      {!isPrinter && <p>{say('sheet_test')}</p>}
      <p class="quiet">{say('sheet_until', { time: times.at(String(code_expires_at)) })}</p>
    </article>
  )
}
