import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Held } from '../form/form.tsx'
import { change, client, type Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'

const CATEGORIES = '/api/v1/events/{event_id}/guest_categories.json'
/** The path of a guest category. */
export const CATEGORY = '/api/v1/events/{event_id}/guest_categories/{id}.json'

/** What a category needs so that people who are invited to be its guests can accept, and get their QR codes then; each with its words in a form. */
const NEEDS = {
  rsvp_enabled: ['invitation_asks', 'invitation_asks_hint'],
  confirmation_email_enabled: ['invitation_confirms', 'invitation_confirms_hint'],
} as const
/** The name of such a field. */
export type Need = keyof typeof NEEDS
/** All of them. */
export const needs = Object.keys(NEEDS) as Need[]

/** Makes the category of a new invitation type ask for replies and confirm them by e-mail, unless the organizer does not want that. */
export function useAskingReplies(event_id: string) {
  const [unwanted, setUnwanted] = useState<ReadonlySet<Need>>(new Set())
  const { value: categories } = useLoaded(
    async (signal) => (await client.GET(CATEGORIES, { params: { path: { event_id } }, signal })).data,
    [event_id],
  )
  const lackingIn = (id: unknown): Need[] => {
    const category = categories?.find(({ _id }) => _id === id)
    return needs.filter((need) => category?.[need] !== true)
  }
  /** The choices for what a category lacks, among those that are asked about. */
  const choices = (id: unknown, asked: readonly Need[] = needs) =>
    lackingIn(id)
      .filter((need) => asked.includes(need))
      .map((need) => (
        <Choice
          key={need}
          need={need}
          isOn={!unwanted.has(need)}
          onTurn={(isOn) =>
            setUnwanted((before) => new Set([...before, need].filter((each) => !isOn || each !== need)))
          }
        />
      ))
  /** The field of the category, with the choices below it. */
  const field = ({ values }: Held, usual: ComponentChildren) => (
    <>
      {usual}
      {values.guest_category_id !== '' && choices(values.guest_category_id)}
    </>
  )
  /** Does it, before the type is made: once that is there, nobody is told that this has failed. */
  const ask = async ({ guest_category_id: id }: Item): Promise<void> => {
    const wanted = id ? lackingIn(id).filter((need) => !unwanted.has(need)) : []
    if (wanted.length === 0) return
    await change(CATEGORY, { event_id, id: String(id) }, Object.fromEntries(wanted.map((need) => [need, true])))
  }
  return { choices, field, ask }
}

function Choice({ need, isOn, onTurn }: { need: Need; isOn: boolean; onTurn: (isOn: boolean) => void }) {
  const { say } = useConsole()
  const [label, hint] = NEEDS[need]
  return (
    <div class="field tick wide">
      <input
        id={need}
        type="checkbox"
        checked={isOn}
        aria-describedby={`${need}-hint`}
        onChange={({ currentTarget }) => onTurn(currentTarget.checked)}
      />
      <label for={need}>{say(label)}</label>
      <small id={`${need}-hint`} class="hint">
        {say(hint)}
      </small>
    </div>
  )
}
