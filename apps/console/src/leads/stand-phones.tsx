import { useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import type { ItemProps } from '../resources/resource.ts'
import { asRefusal, type GatehouseError, type Item, newKey, post } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { Problem } from '../view/problem.tsx'
import { leadsHref } from './cells.tsx'
import { PhoneCode } from './phone-code.tsx'

const EXHIBITORS = '/api/v1/events/{event_id}/exhibitors.json'
/** Where a code for a phone is made. */
export const CODES = '/api/v1/events/{event_id}/exhibitors/{id}/codes.json'

/** The way to an exhibitor's leads, and how the phones of its stand get at the page for leads. A code cannot be shown again, but another one made. */
export function StandPhones({ params, item }: ItemProps) {
  const { say } = useConsole()
  const mayChange = useMayChange()(declaredOf(EXHIBITORS).changes ?? 'owner')
  const [answer, setAnswer] = useState<Item>()
  const [error, setError] = useState<GatehouseError>()
  const make = async (): Promise<void> => {
    setError(undefined)
    try {
      setAnswer(await post(CODES, params, undefined, newKey()))
    } catch (problem) {
      setError(asRefusal(problem))
    }
  }
  return (
    <>
      <section class="panel">
        <h2>{say('page_connections')}</h2>
        <div class="buttons">
          <a class="button second" href={leadsHref(String(item.event_id), String(item._id))}>
            {say('leads_show', { count: Number(item.lead_count) })}
          </a>
        </div>
      </section>
      {mayChange && (
        <section class="panel">
          <h2>{say('stand_phones')}</h2>
          <p>{say('stand_phones_text')}</p>
          {error && <Problem error={error} retry={() => void make()} />}
          {answer && <PhoneCode answer={answer} />}
          <div class="buttons">
            <button type="button" class={answer ? 'second' : ''} onClick={() => void make()}>
              {say('device_roll')}
            </button>
          </div>
        </section>
      )}
    </>
  )
}
