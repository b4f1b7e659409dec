import { EnrolView } from './enrol.tsx'
import { PointView } from './point.tsx'
import type { ViewProps } from './props.ts'
import { ScanView } from './scan.tsx'

/** The app: the view of what is to be done next. */
export function App({ scanner, say, code }: ViewProps & { code: string }) {
  const { device } = scanner
  // Browsers give neither camera nor cryptography to other pages.
  if (!isSecureContext) return <main>{say('insecure')}</main>
  if (!device?.token) return <EnrolView scanner={scanner} say={say} code={code} />
  if (!device.accesspoint) return <PointView scanner={scanner} say={say} />
  return <ScanView scanner={scanner} say={say} />
}
