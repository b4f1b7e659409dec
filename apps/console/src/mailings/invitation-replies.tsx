import { useState } from 'preact/hooks'
import type { ItemProps, PageProps } from '../resources/resource.ts'
import { asRefusal, change, client, type GatehouseError } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { announce } from '../view/toasts.tsx'
import { CATEGORY, type Need, needs } from './asking-replies.tsx'

const TYPE = '/api/v1/events/{event_id}/invitation_types/{id}.json'

/** What is said where a category lacks something, and the setting that mends that. */
const WARNINGS = {
  rsvp_enabled: { says: 'invitation_no_replies', setting: 'field_rsvp_enabled', kind: 'notice bad' },
  confirmation_email_enabled: {
    says: 'invitation_no_codes',
    setting: 'field_confirmation_email_enabled',
    kind: 'notice',
  },
} as const

/** The same where only the id of the type is known, beside what sends its invitations. */
export function RepliesOfType({ params, id }: PageProps & { id: string }) {
  const path = { event_id: params.event_id ?? '', id }
  const { value } = useLoaded(async (signal) => (await client.GET(TYPE, { params: { path }, signal })).data, [id])
  return value ? <InvitationReplies params={params} item={value} /> : null
}

/** Says why nobody could accept an invitation of this type, or would get a QR code then, with the way to mend it; nothing if all is well. */
export function InvitationReplies({ params, item }: ItemProps) {
  const { say } = useConsole()
  const [error, setError] = useState<GatehouseError>()
  const path = { event_id: params.event_id ?? '', id: String(item.guest_category_id) }
  const { value: category, reload } = useLoaded(
    async (signal) =>
      item.guest_category_id ? (await client.GET(CATEGORY, { params: { path }, signal })).data : undefined,
    [path.id],
  )
  const turn = async (need: Need, isOn: boolean): Promise<void> => {
    await change(CATEGORY, path, { [need]: isOn })
    reload()
  }
  const mend = (need: Need): void => {
    setError(undefined)
    turn(need, true).then(
      () => announce(say('saved'), () => turn(need, false)),
      (problem) => setError(asRefusal(problem)),
    )
  }
  if (!item.guest_category_id) return <p class="notice bad">{say('invitation_no_category')}</p>
  if (!category) return null
  return (
    <>
      {needs
        .filter((need) => !category[need])
        .map((need) => (
          <section key={need} class={WARNINGS[need].kind}>
            <p>{say(WARNINGS[need].says, { category: category.name })}</p>
            <button type="button" class={need === 'rsvp_enabled' ? '' : 'second'} onClick={() => mend(need)}>
              {say('turn_on', { setting: say(WARNINGS[need].setting) })}
            </button>
          </section>
        ))}
      {error && <Problem error={error} />}
    </>
  )
}
