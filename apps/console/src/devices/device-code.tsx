import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { hrefOf } from '../route/route.ts'
import { type Item, read } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { nameOf } from '../view/names.ts'
import { CopyButton } from '../view/once.tsx'

/** How often it is asked whether the phone has taken its code. */
const FOLLOWS_MS = 2_000

const DEVICE = '/api/v1/events/{event_id}/devices/{id}.json'
/** The hosts that mean the very machine that asks (RFC 6761, RFC 6890). */
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/** Whether a host is this very machine, which no phone reaches by that name. */
function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/** The one-time code of a device: large enough for the camera of a phone. */
export function DeviceCode({ answer }: { answer: Item }) {
  if (answer.kind === 'printer') return <NewPrinter answer={answer} />
  return <Phone key={String(answer.code)} answer={answer} />
}

/** A phone from its code until it has taken that, and what comes then. */
function Phone({ answer }: { answer: Item }) {
  const [connected, setConnected] = useState<Item>()
  if (connected) return <ConnectedPhone device={connected} />
  return <AwaitedPhone answer={answer} onConnected={setConnected} />
}

function AwaitedPhone({ answer, onConnected }: { answer: Item; onConnected: (device: Item) => void }) {
  const { event_id, _id, enrolled_at } = answer
  const params = { event_id: String(event_id), id: String(_id) }
  const { value } = useLoaded((signal) => read<Item>(DEVICE, params, {}, signal), [params.id], FOLLOWS_MS)
  useEffect(() => {
    if (value && value.enrolled_at !== enrolled_at) onConnected(value)
  }, [value])
  return <PhoneSetUp answer={answer} />
}

function ConnectedPhone({ device }: { device: Item }) {
  const { say } = useConsole()
  return (
    <section class="notice">
      <p role="status">
        <strong>{say('device_connected', { name: nameOf(device) })}</strong>{' '}
        {say('device_connected_next', { test: say('self_test_name') })}
      </p>
      <a href={hrefOf('events', String(device.event_id), 'live')}>{say('step_next', { step: say('step_open') })}</a>
    </section>
  )
}

function PhoneSetUp({ answer }: { answer: Item }) {
  const { say } = useConsole()
  const { code, url, qr_code } = answer as { code: string; url: string; qr_code: string }
  const { hostname } = new URL(url)
  const isHere = isLoopback(hostname)
  return (
    <section class="notice device-code" aria-label={code}>
      <div>
        <p>{say('device_code_for')}</p>
        {isHere ? (
          <>
            <Unreachable host={hostname} />
            <p>
              {say('device_code_try')}{' '}
              <a href={url} target="_blank" rel="noopener">
                {say('device_code_here')}
              </a>
            </p>
          </>
        ) : (
          <>
            <p>{say('device_code')}</p>
            <p>{say('device_code_type', { url: url.replace(/#.*/, '') })}</p>
          </>
        )}
        <code class="secret">{code}</code>
        <p class="quiet">{say('device_code_until')}</p>
      </div>
      {!isHere && <QrCode svg={qr_code} label={code} />}
    </section>
  )
}

/** Says where a host is one that phones cannot reach, and who can change that. */
export function Unreachable({ host }: { host: string }) {
  const { say } = useConsole()
  if (!isLoopback(host)) return null
  return (
    <p>
      <strong>{say('device_code_loopback', { host })}</strong> {say('device_code_remedy')}
    </p>
  )
}

/** The code of a printer, with the way to the page that says how it is set up. */
function NewPrinter({ answer }: { answer: Item }) {
  const { say } = useConsole()
  const href = hrefOf('events', String(answer.event_id), 'devices', String(answer._id))
  return (
    <>
      <PrinterCode answer={answer} />
      {href !== location.hash && (
        <p>
          <a href={href}>{say('print_steps_open')}</a>
        </p>
      )}
    </>
  )
}

/** The link that makes a computer a print station, and its code. */
export function PrinterCode({ answer }: { answer: Item }) {
  const { say } = useConsole()
  const { code, url, qr_code } = answer as { code: string; url: string; qr_code: string }
  return (
    <section class="notice device-code" aria-label={code}>
      <div>
        <p>{say('print_step_link')}</p>
        <a href={url} target="_blank" rel="noopener">
          {url}
        </a>
        <div class="buttons">
          <CopyButton text={url} label={say('copy')} />
        </div>
        <p>{say('print_step_code', { url: url.replace(/#.*/, '') })}</p>
        <code class="secret">{code}</code>
        <p class="quiet">{say('device_code_until')}</p>
      </div>
      <QrCode svg={qr_code} label={code} />
    </section>
  )
}

/** An SVG document of the API as part of the page, without what could run. */
export function QrCode({ svg, label }: { svg: string; label: string }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml')
    for (const each of documentElement.querySelectorAll('script, foreignObject')) each.remove()
    box.current?.replaceChildren(documentElement)
  }, [svg])
  return <div class="qr-code" role="img" aria-label={label} ref={box} />
}
