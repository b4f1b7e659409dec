import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Held } from '../form/form.tsx'
import { change, client, type Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'

const CATEGORIES = '/api/v1/events/{event_id}/guest_categories.json'
/** The path of a guest category. */
export const CATEGORY = '/api/v1/events/{event_id}/guest_categories/{id}.json'

/** Asks the guests of a new invitation type's category for replies unless the organizer does not want that. */
export function useAskingReplies(event_id: string) {
  const [isWanted, setWanted] = useState(true)
  const { value: categories } = useLoaded(
    async (signal) => (await client.GET(CATEGORIES, { params: { path: { event_id } }, signal })).data,
    [event_id],
  )
  const isAsked = (id: unknown) => categories?.some(({ _id, rsvp_enabled }) => _id === id && rsvp_enabled) === true
  /** The field of the category, with the choice below it. */
  const field = ({ values }: Held, usual: ComponentChildren) => (
    <>
      {usual}
      {values.guest_category_id !== '' && !isAsked(values.guest_category_id) && (
        <AskReplies isOn={isWanted} onTurn={setWanted} />
      )}
    </>
  )
  /** Does it, before the type is made: once that is there, nobody is told that this has failed. */
  const ask = async ({ guest_category_id: id }: Item): Promise<void> => {
    if (id && isWanted && !isAsked(id)) await change(CATEGORY, { event_id, id: String(id) }, { rsvp_enabled: true })
  }
  return { field, ask }
}

function AskReplies({ isOn, onTurn }: { isOn: boolean; onTurn: (isOn: boolean) => void }) {
  const { say } = useConsole()
  return (
    <div class="field tick wide">
      <input
        id="ask-replies"
        type="checkbox"
        checked={isOn}
        aria-describedby="ask-replies-hint"
        onChange={({ currentTarget }) => onTurn(currentTarget.checked)}
      />
      <label for="ask-replies">{say('invitation_asks')}</label>
      <small id="ask-replies-hint" class="hint">
        {say('invitation_asks_hint')}
      </small>
    </div>
  )
}
