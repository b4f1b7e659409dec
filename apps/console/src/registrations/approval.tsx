import { dotted } from '@gatehouse/proto/pages/direction.ts'
import type { paths } from '../../../../clients/typescript/openapi.ts'
import { useConsole } from '../view/console.ts'
import { nameOf } from '../view/names.ts'
import { useTimes } from '../view/times.ts'

/** A registration as the API lists it. */
export type Registration =
  paths['/api/v1/events/{event_id}/registrations.json']['get']['responses'][200]['content']['application/json'][number]

interface Props {
  registration: Registration
  partner: string | undefined
  category: string | undefined
  /** What fields are called, by key. */
  labels: ReadonlyMap<string, string>
  /** Absent for whoever may not decide. */
  decide?: (state: Registration['registration_state']) => void
}

/** A registration that waits: who, when, from whom, and the answers. It takes the focus, for keys. */
export function Approval({ registration, partner, category, labels, decide }: Props) {
  const { say } = useConsole()
  const times = useTimes()
  const { _id, email, registered_at, guest_metadata, party_size } = registration
  const name = nameOf(registration)
  const from = partner ? say('approvals_from', { partner }) : say('registration_page')
  const party = party_size > 1 && say('approvals_party', { count: party_size })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys decide about the row that has the focus
    <li class="approval" data-id={_id} tabIndex={0} aria-label={name}>
      <div>
        <strong>{name}</strong>
        {name !== email && <span class="quiet">{email}</span>}
      </div>
      <p class="quiet">{dotted([registered_at && times.at(registered_at), from, category, party])}</p>
      {guest_metadata.length > 0 && (
        <dl class="facts">
          {guest_metadata.map(({ name: key, value }) => (
            <div key={key}>
              <dt>{labels.get(key) ?? key}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {decide && (
        <div class="buttons">
          <button type="button" onClick={() => decide('approved')}>
            {say('approve')} <kbd>A</kbd>
          </button>
          <button type="button" class="second" onClick={() => decide('rejected')}>
            {say('reject')} <kbd>R</kbd>
          </button>
        </div>
      )}
    </li>
  )
}
