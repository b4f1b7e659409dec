import { useState } from 'preact/hooks'
import type { ItemProps, PageProps } from '../resources/resource.ts'
import { asRefusal, change, client, type GatehouseError } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { announce } from '../view/toasts.tsx'
import { CATEGORY } from './asking-replies.tsx'

const TYPE = '/api/v1/events/{event_id}/invitation_types/{id}.json'

/** The same where only the id of the type is known, beside what sends its invitations. */
export function RepliesOfType({ params, id }: PageProps & { id: string }) {
  const path = { event_id: params.event_id ?? '', id }
  const { value } = useLoaded(async (signal) => (await client.GET(TYPE, { params: { path }, signal })).data, [id])
  return value ? <InvitationReplies params={params} item={value} /> : null
}

/** Says why nobody could accept an invitation of this type, with the way to mend it; nothing if people can. */
export function InvitationReplies({ params, item }: ItemProps) {
  const { say } = useConsole()
  const [error, setError] = useState<GatehouseError>()
  const path = { event_id: params.event_id ?? '', id: String(item.guest_category_id) }
  const { value: category, reload } = useLoaded(
    async (signal) =>
      item.guest_category_id ? (await client.GET(CATEGORY, { params: { path }, signal })).data : undefined,
    [path.id],
  )
  const ask = async (rsvp_enabled: boolean): Promise<void> => {
    await change(CATEGORY, path, { rsvp_enabled })
    reload()
  }
  const start = (): void => {
    setError(undefined)
    ask(true).then(
      () => announce(say('saved'), () => ask(false)),
      (problem) => setError(asRefusal(problem)),
    )
  }
  if (!item.guest_category_id) return <p class="notice bad">{say('invitation_no_category')}</p>
  if (!category || category.rsvp_enabled) return null
  return (
    <section class="notice bad">
      <p>{say('invitation_no_replies', { category: category.name })}</p>
      <button type="button" onClick={start}>
        {say('invitation_ask_replies')}
      </button>
      {error && <Problem error={error} />}
    </section>
  )
}
