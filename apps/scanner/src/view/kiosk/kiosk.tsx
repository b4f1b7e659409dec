import { useLayoutEffect, useState } from 'preact/hooks'
import { CameraView } from '../../../../shared/src/view/camera.tsx'
import { useKeys } from '../../../../shared/src/view/keys.ts'
import { IDLE_MS } from '../../kiosk/result.ts'
import { loadSettings } from '../../storage/settings.ts'
import { useComfort } from '../comfort.ts'
import type { ViewProps } from '../props.ts'
import { useIdle } from './idle.ts'
import { NameForm } from './name-form.tsx'
import { PinView } from './pin.tsx'
import { ResultView, useResult } from './result.tsx'
import { type KioskProps, useKioskTexts } from './texts.ts'

/** Where guests check themselves in. Nothing leads from here to the rest of the scanner but the PIN. */
export function KioskView({ scanner, say }: ViewProps) {
  const { lock } = scanner
  const kiosk = useKioskTexts()
  const [settings] = useState(loadSettings)
  const [isLeaving, setLeaving] = useState(false)
  useComfort({ ...settings, awake: true })
  const stay = () => setLeaving(false)
  useIdle(isLeaving ? IDLE_MS : undefined, isLeaving, stay)
  if (!kiosk) return <main class="kiosk" />
  const view = { scanner, say, kiosk }
  if (!isLeaving) return <SelfCheckIn {...view} settings={settings} leave={() => setLeaving(true)} />
  const leave = () => {
    scanner.forgetOutcome()
    void lock.endKiosk()
  }
  return <PinView scanner={scanner} say={say} opened={leave} close={stay} />
}

interface Props extends KioskProps {
  settings: ReturnType<typeof loadSettings>
  /** Asks for the PIN. */
  leave: () => void
}

/** The place of each guest: a code is scanned or a name typed, and what comes of it is shown until the next guest may come. */
function SelfCheckIn({ scanner, say, kiosk, settings, leave }: Props) {
  const { device } = scanner
  const isReady = Boolean(device?.token && device.accesspoint)
  const result = useResult(scanner, settings.seconds)
  // Another guest finds an empty form.
  const [visit, setVisit] = useState(0)
  const [isTyped, setTyped] = useState(false)
  const next = () => {
    setTyped(false)
    setVisit((visits) => visits + 1)
    scrollTo(0, 0)
  }
  const scan = (scanned: string | readonly string[]) => void scanner.scan(scanned)
  useKeys(isReady ? scan : undefined)
  // At once: later it would empty what the next guest has begun to type.
  useLayoutEffect(next, [result.outcome?.number])
  useIdle(IDLE_MS, visit, next)
  // What a guest has begun to type stays: the form itself says that the server does not answer.
  const canType = settings.search && (scanner.isUp || isTyped)
  return (
    <main class="kiosk">
      <div class="start" inert={result.outcome !== undefined}>
        <header>
          <h1>{device?.event_title}</h1>
          <p class="lead">{kiosk(isReady ? (canType ? 'scan_or_type' : 'scan') : 'staff')}</p>
        </header>
        {isReady && (
          <div class="ways">
            <CameraView
              say={(key) => (key === 'camera_none' ? kiosk(key) : say(key))}
              found={scan}
              camera={settings.camera}
              stays
            />
            {canType && <NameForm key={visit} scanner={scanner} kiosk={kiosk} onTyped={setTyped} />}
            {settings.search && !canType && <p>{kiosk('offline')}</p>}
          </div>
        )}
        <button type="button" class="leave" aria-label={kiosk('leave')} onClick={leave}>
          <Padlock />
        </button>
      </div>
      <ResultView scanner={scanner} say={say} kiosk={kiosk} {...result} />
    </main>
  )
}

function Padlock() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M8 11V7a4 4 0 0 1 8 0v4M5 11h14v9H5z" />
    </svg>
  )
}
