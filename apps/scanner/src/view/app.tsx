import { EnrolView } from './enrol.tsx'
import { KioskView } from './kiosk/kiosk.tsx'
import { PinGate } from './kiosk/pin.tsx'
import { PointView } from './point.tsx'
import type { ViewProps } from './props.ts'
import { ScanView } from './scan.tsx'

/** The app: the view of what is to be done next. */
export function App({ scanner, say, code, drop }: ViewProps & { code: string; drop: () => void }) {
  const { device, lock } = scanner
  // Browsers give neither camera nor cryptography to other pages.
  if (!isSecureContext) return <main>{say('insecure')}</main>
  if (lock.isKiosk && !code) return <KioskView scanner={scanner} say={say} />
  if (!device?.token || code) return <EnrolView key={code} scanner={scanner} say={say} code={code} drop={drop} />
  if (!device.accesspoint)
    return (
      <PinGate scanner={scanner} say={say}>
        <PointView scanner={scanner} say={say} />
      </PinGate>
    )
  return <ScanView scanner={scanner} say={say} />
}
