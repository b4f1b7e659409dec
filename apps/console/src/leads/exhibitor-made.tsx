import { useState } from 'preact/hooks'
import type { MadeProps } from '../resources/resource.ts'
import { hrefOf } from '../route/route.ts'
import { newKey, post } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Secret } from '../view/once.tsx'
import { Problem } from '../view/problem.tsx'
import { Skeleton } from '../view/skeleton.tsx'
import { PhoneCode } from './phone-code.tsx'
import { CODES } from './stand-phones.tsx'

/** What an exhibitor needs who is new, or whose links were replaced: the link for its first phone, the way to its page, and the token for an app of its own. */
export function ExhibitorMade({ params, answer }: MadeProps) {
  const { say } = useConsole()
  const id = String(answer._id)
  const event_id = params.event_id ?? ''
  // Under one key a code is made once, however often this is tried.
  const [key] = useState(newKey)
  const { value: code, error, reload } = useLoaded(() => post(CODES, { event_id, id }, undefined, key), [id])
  return (
    <>
      {error && <Problem error={error} retry={reload} />}
      {!code && !error && <Skeleton />}
      {code && <PhoneCode answer={code} />}
      {params.id === undefined && (
        <div class="buttons">
          <a class="button second" href={hrefOf('events', event_id, 'exhibitors', id)}>
            {say('exhibitor_open')}
          </a>
        </div>
      )}
      <details>
        <summary>{say('exhibitor_token')}</summary>
        <Secret text={String(answer.access_token)} />
      </details>
    </>
  )
}
