import { isolated } from '@gatehouse/proto/pages/direction.ts'
import { useEffect, useState } from 'preact/hooks'
import { hrefOf } from '../route/route.ts'
import { asRefusal, type GatehouseError, type Item, read } from '../server/server.ts'
import { named, type TextKey } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { useTimes } from '../view/times.ts'
import { placeOf, useRecordNames } from './names.ts'
import { type RecordNames, sentenceOf } from './sentence.ts'

const LIST = '/api/v1/audit_records.json'
const PAGE = 50
/** What a record says besides its sentence. */
const DETAILS = ['address', 'resource_id', 'client_id'] as const

interface Props {
  /** What the list is filtered by. */
  query: Record<string, string>
  /** What is said where there are none. */
  none: TextKey
  /** The titles of events, by id; none where all is about one event. */
  events?: ReadonlyMap<string, string> | undefined
}

/** Audit records as sentences, the newest first, with the rest of each on demand. */
export function AuditList({ query, none, events }: Props) {
  const { say } = useConsole()
  const { records, error, hasMore, load } = useRecords(query)
  const names = useRecordNames(records)
  return (
    <>
      {records.length === 0 && !error && hasMore && <Skeleton />}
      {records.length === 0 && !hasMore && <p class="quiet">{say(none)}</p>}
      <ul class="audit">
        {records.map((record) => (
          <AuditRecord
            key={String(record._id)}
            record={record}
            names={names.get(String(record._id)) ?? {}}
            event={events?.get(String(record.event_id))}
          />
        ))}
      </ul>
      {error && <Problem error={error} retry={load} />}
      {records.length > 0 && hasMore && !error && (
        <button type="button" class="second" onClick={load}>
          {say('audit_more')}
        </button>
      )}
    </>
  )
}

interface Records {
  records: readonly Item[]
  error?: GatehouseError
  /** Whether there may be older ones. */
  hasMore: boolean
  /** Reads the next page. */
  load: () => void
}

/** Audit records page by page, from the first again with another query. */
function useRecords(query: Record<string, string>): Records {
  const [state, setState] = useState<Omit<Records, 'load'>>({ records: [], hasMore: true })
  const [wanted, setWanted] = useState(1)
  const key = JSON.stringify(query)
  const [shown, setShown] = useState(key)
  if (shown !== key) {
    setShown(key)
    setState({ records: [], hasMore: true })
    setWanted(1)
  }
  useEffect(() => {
    const stop = new AbortController()
    const page = Math.trunc(wanted)
    read<Item[]>(LIST, {}, { ...query, page, per_page: PAGE }, stop.signal).then(
      (found) =>
        setState(({ records }) => ({
          // What was recorded meanwhile shifts the pages.
          records: [...records, ...found.filter(({ _id }) => !records.some((each) => each._id === _id))],
          hasMore: found.length === PAGE,
        })),
      (error) => {
        if (!stop.signal.aborted) setState((before) => ({ ...before, error: asRefusal(error) }))
      },
    )
    return () => stop.abort()
  }, [key, wanted])
  const load = (): void => {
    // A page that failed is read again.
    setWanted(state.error ? wanted + 0.001 : Math.trunc(wanted) + 1)
    setState(({ records, hasMore }) => ({ records, hasMore }))
  }
  return { ...state, load }
}

interface RecordProps {
  record: Item
  names: RecordNames
  event: string | undefined
}

function AuditRecord({ record, names, event }: RecordProps) {
  const { say } = useConsole()
  const times = useTimes()
  const at = String(record.created_at)
  const place = placeOf(record)
  return (
    <li>
      <details>
        <summary>
          <span>{sentenceOf(say, record, names)}</span>
          <span class="quiet">
            {event && <>{isolated(event)} · </>}
            <time dateTime={at}>{times.at(at)}</time>
          </span>
          {record.outcome === 'unknown' && <span class="problem">{say('audit_unknown')}</span>}
        </summary>
        <dl class="facts">
          {DETAILS.filter((name) => record[name]).map((name) => (
            <div key={name}>
              <dt>{named(say, 'field', name)}</dt>
              <dd>
                {name === 'resource_id' && place && names.what ? (
                  <a href={hrefOf(...place.segments)}>{names.what}</a>
                ) : (
                  String(record[name])
                )}
              </dd>
            </div>
          ))}
          <div>
            <dt>{say('field_action')}</dt>
            <dd>{String(record.action ?? record.kind)}</dd>
          </div>
        </dl>
      </details>
    </li>
  )
}
