import { declaredOf } from '../declared/declared.ts'
import type { ItemProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import type { Item } from '../server/server.ts'
import { may } from '../session/session.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { PrinterCode } from './device-code.tsx'
import { PaperList, usePrinting } from './paper-list.tsx'
import { papersAt, sizesOf } from './papers.ts'

const GUESTS = '/api/v1/events/{event_id}/guests.json'

/** More of a device: of a printer what it prints, and how its computer is set up. */
export function DeviceDetails({ params, item }: ItemProps) {
  return item.kind === 'printer' ? <PrintStation event_id={params.event_id ?? ''} station={item} /> : null
}

/** How the computer of a print station is set up, step by step. With a new code the first step has its link. */
export function PrintStation({ event_id, station }: { event_id: string; station: Item }) {
  const { say, session } = useConsole()
  const { creates = 'owner' } = declaredOf(GUESTS)
  const { value, error, reload } = usePrinting(event_id)
  if (error && !value) return <Problem error={error} retry={reload} />
  if (!value) return null
  const papers = papersAt(station.accesspoint_ids as string[], value)
  const address = `${location.origin}/print/`
  return (
    <>
      <section class="panel print-station">
        <h2>{say('print_papers')}</h2>
        <PaperList event_id={event_id} papers={papers} />
      </section>
      <section class="panel print-station">
        <h2>{say('print_steps')}</h2>
        <ol>
          {station.code !== undefined && (
            <li>
              <PrinterCode answer={station} />
            </li>
          )}
          {papers.length > 0 && <li>{say('print_step_paper', { sizes: sizesOf(papers).join(', ') })}</li>}
          <li>
            <p>{say('print_step_kiosk')}</p>
            <code class="command">msedge --kiosk-printing {address}</code>
            <p>{say('print_step_kiosk_mac')}</p>
            <code class="command">open -a "Google Chrome" --args --kiosk-printing {address}</code>
            <p>Linux:</p>
            <code class="command">chromium --kiosk-printing {address}</code>
          </li>
          <li>
            {say('print_step_test')}{' '}
            {may(session, creates) && <a href={hrefOf('events', event_id, 'guests', 'new')}>{say('add_guests')}</a>}
          </li>
        </ol>
      </section>
    </>
  )
}
