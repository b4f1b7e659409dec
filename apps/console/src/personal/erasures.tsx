import { client } from '../server/server.ts'
import { named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { useTimes } from '../view/times.ts'
import { dataName } from './documents.ts'

const ERASURES = '/api/v1/events/{event_id}/erasures.json'

/** The erasures of an event with their reports. Who was erased is not kept. */
export function Erasures({ event_id, round }: { event_id: string; round: number }) {
  const { say } = useConsole()
  const times = useTimes()
  const { value, error, reload } = useLoaded(
    async (signal) => (await client.GET(ERASURES, { params: { path: { event_id } }, signal })).data,
    [event_id, round],
  )
  if (error) return <Problem error={error} retry={reload} />
  if (value?.length === 0) return <p class="quiet">{say('data_report_none')}</p>
  return (
    <ul class="audit">
      {value?.map(({ _id, created_at, cause, everybody, state, report, unsearched }) => (
        <li key={_id}>
          <details>
            <summary>
              <span>
                {say(everybody ? 'data_everybody' : 'data_one')} · {named(say, 'data_by', cause)}
                {state === 'running' && ` · ${say('data_running')}`}
              </span>
              <time class="quiet" dateTime={created_at}>
                {times.at(created_at)}
              </time>
            </summary>
            <ul>
              {report.map(({ data, outcome, count }) => (
                <li key={`${data} ${outcome}`}>{say(`data_${outcome}`, { what: dataName(say, data), count })}</li>
              ))}
              {unsearched.length > 0 && (
                <li>
                  {say('data_unsearched', {
                    what: unsearched
                      .map(({ data, count }) => say('audit_items', { what: dataName(say, data), count }))
                      .join(', '),
                  })}
                </li>
              )}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  )
}
