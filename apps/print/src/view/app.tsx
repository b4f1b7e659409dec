import { BadgePage } from './badge-page.tsx'
import { EnrolView } from './enrol.tsx'
import type { ViewProps } from './props.ts'
import { StationView } from './station-view.tsx'

/** The app: the view of what is to be done next, and the badge that is printed. */
export function App({ station, say, code, drop }: ViewProps & { code: string; drop: () => void }) {
  // Browsers give no cryptography to other pages.
  if (!isSecureContext) return <main>{say('insecure')}</main>
  if (!station.station?.token || code)
    return <EnrolView key={code} station={station} say={say} code={code} drop={drop} />
  return (
    <>
      <StationView station={station} say={say} />
      {station.badge && <BadgePage badge={station.badge} />}
    </>
  )
}
