import { useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { Form } from '../form/form.tsx'
import type { PageProps } from '../resources/resource.ts'
import { type Item, post, read } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { nameOf, useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { PaperList, usePrinting } from './paper-list.tsx'
import { papersAt } from './papers.ts'
import { PrintStation } from './print-station.tsx'

const DEVICES = '/api/v1/events/{event_id}/devices.json'
const FIELDS = ['name', 'accesspoint_ids']

/** Adds a print station: what prints badges at which check-in points, then how its computer is set up. */
export function PrintStationPage({ params }: PageProps) {
  const { say } = useConsole()
  const path = { event_id: params.event_id ?? '' }
  const { event_id } = path
  const [station, setStation] = useState<Item>()
  const points = useNames(['accesspoint_ids'], path)?.accesspoint_ids
  const { value: devices, error: ofDevices } = useLoaded(
    (signal) => read<Item[]>(DEVICES, path, {}, signal),
    [event_id],
  )
  const { value: printing, error: ofPrinting } = usePrinting(event_id)
  const problem = ofDevices ?? ofPrinting
  const { create = {} } = declaredOf(DEVICES)
  const fields = Object.fromEntries(Object.entries(create).filter(([name]) => FIELDS.includes(name)))
  const isReady = points && devices && printing
  return (
    <>
      <div class="head">
        <h1>{station ? nameOf(station) : say('print_station_add')}</h1>
      </div>
      {!station && <p class="quiet">{say('print_station_text')}</p>}
      {problem && !isReady && <Problem error={problem} />}
      {!problem && !isReady && <Skeleton />}
      {isReady && !station && (
        <Form
          fields={fields}
          names={{ accesspoint_ids: freeOrTaken(points, devices) }}
          hints={{ name: 'hint_print_station_name' }}
          submit="print_station_add"
          said={() => say('print_station_added')}
          preview={({ accesspoint_ids }) => (
            <section class="wide print-station">
              <h2>{say('print_papers')}</h2>
              <PaperList event_id={event_id} papers={papersAt(accesspoint_ids as string[], printing)} />
            </section>
          )}
          send={async (body, key) => setStation(await post(DEVICES, path, { ...body, kind: 'printer' }, key))}
        />
      )}
      {station && <PrintStation event_id={event_id} station={station} />}
    </>
  )

  /** The check-in points by name; those at which another station prints already say so, since the API refuses a second one. */
  function freeOrTaken(names: ReadonlyMap<string, string>, all: readonly Item[]): ReadonlyMap<string, string> {
    const printers = all.filter(({ kind }) => kind === 'printer')
    const printerAt = (id: string): Item | undefined =>
      printers.find(({ accesspoint_ids }) => {
        const own = accesspoint_ids as string[]
        return own.length === 0 || own.includes(id)
      })
    return new Map(
      [...names].map(([id, point]) => {
        const printer = printerAt(id)
        return [id, printer ? say('print_station_taken', { point, device: nameOf(printer) }) : point]
      }),
    )
  }
}
