import { EnrolView } from './enrol.tsx'
import { PointView } from './point.tsx'
import type { ViewProps } from './props.ts'
import { ScanView } from './scan.tsx'

/** The app: the view of what is to be done next. */
export function App({ scanner, say, code, drop }: ViewProps & { code: string; drop: () => void }) {
  const { device } = scanner
  // Browsers give neither camera nor cryptography to other pages.
  if (!isSecureContext) return <main>{say('insecure')}</main>
  if (!device?.token || code) return <EnrolView key={code} scanner={scanner} say={say} code={code} drop={drop} />
  if (!device.accesspoint) return <PointView scanner={scanner} say={say} />
  return <ScanView scanner={scanner} say={say} />
}
