import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { Form, type FormProps } from '../form/form.tsx'
import type { FormFields, Values } from '../form/values.ts'
import {
  type ConsoleResource,
  hasItemPage,
  idParamOf,
  itemPathOf,
  type PageProps,
  type ResourceProps,
} from '../resources/resource.ts'
import { goTo, hrefOf, useQuery } from '../route/route.ts'
import { change, type Item, post, read } from '../server/server.ts'
import { named, titleOf } from '../texts/words.ts'
import { FieldCell } from './cell.tsx'
import { useConsole } from './console.ts'
import { useMayChange } from './event.ts'
import { ItemActions } from './item-actions.tsx'
import { leaveFor } from './leaving.ts'
import { useLoaded } from './loaded.ts'
import { MakeFirst } from './make-first.tsx'
import { emptyLists, type NamesOf, nameOf, useNames } from './names.ts'
import { Once } from './once.tsx'
import { Problem } from './problem.tsx'
import { segmentsOf } from './resource-list.tsx'
import { SeveralItems } from './several-items.tsx'
import { Skeleton } from './skeleton.tsx'
import { useTimes } from './times.ts'

/** How often the page of an item that changes by itself reads it. */
const FOLLOWS_MS = 3_000
/** The id of an item's form. */
const FORM = 'item-form'

/** The form for a new item. Saving leads to its page. */
export function NewItem({ resource, params }: ResourceProps) {
  const { say, session } = useConsole()
  const times = useTimes()
  const [{ like = '' }] = useQuery()
  const made = useRef<Item>({})
  const outcome = useRef<string>(undefined)
  const earlier = useLoaded((signal) => earlierItem(resource, params, like, signal), [like])
  const others = useLoaded(
    async (signal) => (resource.begin || resource.hasSeveral ? read<Item[]>(resource.path, params, {}, signal) : []),
    [resource.path],
  )
  const [answer, setAnswer] = useState<Item>()
  const names = useNames(resource.fields, params)
  const fields = declaredFields(resource, false)
  const missing = names ? emptyLists(fields, names) : []
  // What cannot be read is typed.
  const isReady = [earlier, others].every(({ value, error }) => value || error)
  const begin = names && others.value && resource.begin?.({ say, names, items: others.value })
  const segments = segmentsOf(resource, params)
  const create = async (body: Item, key: string, act?: string): Promise<void> => {
    const created = await post(resource.path, params, { ...body, ...resource.always?.(session) }, key)
    made.current = created
    outcome.current = await resource.outcome?.(created, { say, times, names })
    if (resource.Once || (resource.once !== undefined && created[resource.once] !== undefined)) setAnswer(created)
    else if (act) location.hash = hrefAsking(act, ...segments, String(created._id))
    else goTo(...segments, ...(hasItemPage(resource) ? [String(created._id)] : []))
  }
  // Nobody is led away from what is usually done next to the item itself, such as sending a mailing.
  const awaitsAct = () => resource.actions.some(({ isMain, offered = () => true }) => isMain && offered(made.current))
  const another = () => {
    if (resource.isSeldom || awaitsAct()) return undefined
    const like = new URLSearchParams({ like: String(made.current._id) })
    return { words: say('add_another'), href: `${hrefOf(...segments, 'new')}?${like}` }
  }
  return (
    <>
      <Head title={answer && resource.Once ? nameOf(answer) : named(say, 'add', resource.name)} />
      {answer && <Shown {...{ resource, params, answer }} />}
      {missing.length > 0 && <MakeFirst paths={missing} params={params} />}
      {resource.hasSeveral && others.value && (
        <SeveralItems {...{ resource, params }} items={others.value} begin={begin ?? {}} />
      )}
      {!answer && names && missing.length === 0 && isReady && (
        <Edited
          {...{ resource, params, fields, names }}
          like={earlier.value?.item}
          begin={begin}
          next={another}
          submit={resource.submit}
          said={() => outcome.current}
          send={create}
          isOpen
        />
      )}
    </>
  )
}

/** The item like which another one is made, if there is one. */
async function earlierItem(resource: ConsoleResource, params: PageProps['params'], id: string, signal: AbortSignal) {
  if (id === '' || !hasItemPage(resource)) return {}
  const path = itemPathOf(resource)
  return { item: await read<Item>(path, { ...params, [idParamOf(path)]: id }, {}, signal) }
}

/** The address of an item whose page asks at once whether something is to be done to it. */
function hrefAsking(act: string, ...segments: string[]): string {
  return `${hrefOf(...segments)}?${new URLSearchParams({ act })}`
}

/** An item: its form, its facts, and what can be done to it; its address may name what is asked at once. */
export function ItemPage({ resource, params }: ResourceProps) {
  const { say } = useConsole()
  const [{ act }] = useQuery()
  const path = itemPathOf(resource)
  const load = async (signal: AbortSignal) => {
    const [item, more] = await Promise.all([
      read<Item>(path, params, resource.flags, signal),
      resource.also?.(params, signal),
    ])
    return { ...item, ...more }
  }
  const { value: item, error, reload } = useLoaded(load, [resource.path, JSON.stringify(params)])
  const [answer, setAnswer] = useState<Item>()
  const names = useNames([...resource.fields, ...resource.facts], params)
  const mayMake = useMayChange()
  const segments = segmentsOf(resource, params)
  const [isChanged, setChanged] = useState(false)
  const moves = item !== undefined && resource.moves?.(item) === true
  useEffect(() => {
    if (!moves) return undefined
    const timer = setTimeout(reload, FOLLOWS_MS)
    return () => clearTimeout(timer)
  }, [item, moves])
  if (error && !item) return <Problem error={error} retry={reload} />
  if (!item || !names) return <Skeleton />
  const fields = declaredFields(resource, true)
  const mayChange = mayMake(resource.changes)
  const { tells = () => true, changeable = () => true, previews = [] } = resource
  const hasForm = mayChange && changeable(item) && Object.keys(fields).length > 0
  const shown = mayChange && !hasForm ? item : undefined
  const told = resource.facts.filter((fact) => tells(item, fact))
  const facts = [...told, ...(hasForm ? [] : Object.keys(fields).filter((name) => !shown || !previews.includes(name)))]
  const { More, Status, Heading } = resource
  const onDone = (done?: Item): void => {
    if (!done) return leaveFor(...segments)
    setAnswer(done)
    reload()
  }
  return (
    <>
      <Head title={Heading ? <Heading params={params} item={item} /> : nameOf(item)}>
        {(mayChange || resource.children.length > 0) && (
          <div class="tools">
            {resource.children.map((name) => (
              <a key={name} class="button second" href={hrefOf(...segments, String(item._id), name)}>
                {say(`page_${name}`)}
              </a>
            ))}
            {mayChange && (
              <ItemActions
                {...{ resource, params, item, onDone }}
                offers="actions"
                asks={act}
                unsaved={hasForm && isChanged ? FORM : undefined}
              />
            )}
          </div>
        )}
      </Head>
      {Status && <Status item={item} />}
      {error && <Problem error={error} retry={reload} />}
      {answer && <Shown {...{ resource, params, answer }} />}
      {facts.length > 0 && <Facts resource={resource} item={item} facts={facts} names={names} />}
      <Edited
        key={String(item._id)}
        {...{ resource, params, fields, item, names }}
        begin={resource.begin?.({ say, names, items: [] })}
        isOpen={hasForm}
        shown={shown}
        reload={reload}
        onChanged={setChanged}
        send={async (body) => {
          await change(path, params, body)
          reload()
        }}
      />
      {More && <More params={params} item={item} />}
      {mayChange && declaredOf(resource.path).deletes && (
        <div class="buttons acts">
          <ItemActions {...{ resource, params, item, onDone }} offers="deletion" />
        </div>
      )}
    </>
  )
}

/** What an answer says this once, of a new item or after something was done to it. */
function Shown({ resource, params, answer }: ResourceProps & { answer: Item }) {
  const secret = resource.once === undefined ? undefined : answer[resource.once]
  return resource.Made && secret !== undefined ? (
    <resource.Made key={String(secret)} {...{ params, answer }} />
  ) : (
    <Once resource={resource} answer={answer} />
  )
}

interface FactsProps {
  resource: ConsoleResource
  item: Item
  facts: string[]
  names: NamesOf
}

function Facts({ resource, item, facts, names }: FactsProps) {
  const { say } = useConsole()
  return (
    <dl class="facts">
      {facts.map((name) => (
        <div key={name}>
          <dt>{titleOf(say, resource.titles, name)}</dt>
          <dd>
            <FieldCell resource={resource} name={name} item={item} names={names} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface EditedProps extends ResourceProps, Omit<FormProps, 'children'> {
  /** Whether there is a form: not for who may not change the item. */
  isOpen: boolean
  /** The item, if it is previewed without a form. */
  shown?: Item | undefined
  /** Reads the item again, where there is one. */
  reload?: () => void
  /** Told whether something is typed that is not saved. */
  onChanged?: (isChanged: boolean) => void
}

/** The form of a resource, its own or the usual one. Beside it is what is being typed as it will look, and what else an item has there. */
function Edited({ resource, isOpen, shown, reload = () => undefined, onChanged, ...form }: EditedProps) {
  const { Editor = Form, Preview, Beside, when, seldom, headings, hints, titles } = resource
  const [typed, setTyped] = useState<Values>()
  const { params, item } = form
  const values = typed ?? (shown as Values | undefined)
  const isPair = Boolean(Preview || (Beside && item))
  return (
    <div class={isPair ? 'two-columns' : undefined}>
      {isOpen && (
        <Editor
          {...{ when, seldom, headings, hints, titles }}
          {...form}
          id={FORM}
          onTyped={(now, isChanged) => {
            if (isPair) setTyped(now)
            onChanged?.(isChanged)
          }}
        />
      )}
      {isPair && (
        <aside>
          {Preview && values && <Preview {...{ params, item, values }} />}
          {Beside && item && <Beside {...{ params, item, values, reload }} />}
        </aside>
      )}
    </div>
  )
}

function Head({ title, children }: { title: ComponentChildren; children?: ComponentChildren }) {
  return (
    <div class="head">
      <h1>{title}</h1>
      {children}
    </div>
  )
}

/** The form's fields as the API declares them for a change or a creation. */
function declaredFields({ path, fields }: ConsoleResource, isChange: boolean): FormFields {
  const { create = {}, update = [] } = declaredOf(path)
  const found = fields.flatMap((name) => {
    const field = create[name]
    return field && (!isChange || update.includes(name)) ? [[name, field] as const] : []
  })
  return Object.fromEntries(found)
}
