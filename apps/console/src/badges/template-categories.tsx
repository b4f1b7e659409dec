import { useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { Tick } from '../form/field.tsx'
import type { ItemProps } from '../resources/resource.ts'
import { asRefusal, change, client, type GatehouseError } from '../server/server.ts'
import type { ConsoleSay } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'
import { useMayChange } from '../view/event.ts'
import { useLoaded } from '../view/loaded.ts'
import { useNames } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { announce } from '../view/toasts.tsx'

const CATEGORIES = '/api/v1/events/{event_id}/guest_categories.json'
const CATEGORY = '/api/v1/events/{event_id}/guest_categories/{id}.json'

/** The guest categories whose badges a template describes, and which others could be given it. */
export function TemplateCategories({ params, item }: ItemProps) {
  const { say } = useConsole()
  const mayMake = useMayChange()
  const path = { event_id: params.event_id ?? '' }
  const template = String(item._id)
  const { value, error, reload } = useLoaded(
    async (signal) => (await client.GET(CATEGORIES, { params: { path }, signal })).data,
    [path.event_id],
  )
  const [refusal, setRefusal] = useState<GatehouseError>()
  const templates = useNames(['badge_template_id'], path)?.badge_template_id
  if (error && !value) return <Problem error={error} retry={reload} />
  if (!value) return null
  const { changes = 'owner' } = declaredOf(CATEGORIES)
  const assign = async (id: string, badge_template_id: string | null): Promise<void> => {
    await change(CATEGORY, { ...path, id }, { badge_template_id })
    reload()
  }
  const turn = ({ _id, badge_template_id = null }: Category, isOn: boolean): Promise<void> =>
    assign(_id, isOn ? template : null).then(
      () => {
        setRefusal(undefined)
        announce(say('saved'), () => assign(_id, badge_template_id))
      },
      (problem) => setRefusal(asRefusal(problem)),
    )
  const users = value.filter(({ badge_template_id }) => badge_template_id === template)
  return (
    <section class="panel used-by">
      <h2 id="used-by">{say('badge_used_by')}</h2>
      {mayMake(changes) ? (
        <fieldset class="field" aria-labelledby="used-by">
          <p class="quiet">
            {value.length > 0 ? `${say('badge_used_by_hint')} ${say('saved_at_once')}` : say('badge_no_categories')}
          </p>
          {value.map((category) => (
            <Tick
              key={category._id}
              words={wordsOf(say, category, template, templates)}
              isOn={category.badge_template_id === template}
              onTurn={(isOn) => void turn(category, isOn)}
            />
          ))}
        </fieldset>
      ) : (
        <p>{users.map(({ name }) => name).join(', ') || '–'}</p>
      )}
      {refusal && <Problem error={refusal} />}
    </section>
  )
}

interface Category {
  _id: string
  name: string
  badge_enabled: boolean
  badge_template_id?: string | null
}

/** The name of a category, and why its guests have no badge by the template. */
function wordsOf(
  say: ConsoleSay,
  { name, badge_enabled, badge_template_id: used }: Category,
  template: string,
  templates?: ReadonlyMap<string, string>,
): string {
  const other = used && used !== template ? templates?.get(used) : undefined
  if (!badge_enabled) return say('badge_used_off', { category: name })
  return other === undefined ? name : say('badge_used_other', { category: name, template: other })
}
