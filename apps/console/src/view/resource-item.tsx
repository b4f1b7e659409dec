import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { Form } from '../form/form.tsx'
import type { FormFields } from '../form/values.ts'
import { type ConsoleResource, itemPathOf, type PlaceProps } from '../resources/resource.ts'
import { goTo, hrefOf } from '../route/route.ts'
import { change, type Item, post, read } from '../server/server.ts'
import { may } from '../session/session.ts'
import { named } from '../texts/words.ts'
import { Cell } from './cell.tsx'
import { useConsole } from './console.ts'
import { rememberCreated, useIsCreated } from './created.ts'
import { ItemActions } from './item-actions.tsx'
import { useLoaded } from './loaded.ts'
import { MakeFirst } from './make-first.tsx'
import { emptyLists, type NamesOf, nameOf, useNames } from './names.ts'
import { Once } from './once.tsx'
import { Problem } from './problem.tsx'
import { segmentsOf } from './resource-list.tsx'

interface Props extends PlaceProps {
  resource: ConsoleResource
}

/** The form for a new item. */
export function NewItem({ resource, places }: Props) {
  const { say, session } = useConsole()
  const [answer, setAnswer] = useState<Item>()
  const names = useNames(resource.fields, places)
  const fields = declaredFields(resource, false)
  const missing = names ? emptyLists(fields, names) : []
  const segments = segmentsOf(resource, places)
  const create = async (body: Item, key: string): Promise<void> => {
    const created = await post(resource.path, places, { ...body, ...resource.always?.(session) }, key)
    if (resource.once !== undefined || resource.Once) setAnswer(created)
    else {
      rememberCreated(String(created._id))
      goTo(...segments, String(created._id))
    }
  }
  return (
    <>
      <Head resource={resource} places={places} title={`${say(`page_${resource.name}`)}: ${say('create')}`}>
        <output class="quiet">{answer && say('saved')}</output>
      </Head>
      {answer && <Once resource={resource} answer={answer} />}
      {missing.length > 0 && <MakeFirst paths={missing} places={places} />}
      {!answer && names && missing.length === 0 && <Form fields={fields} names={names} send={create} />}
    </>
  )
}

/** An item: its form, its facts, and what can be done to it. */
export function ItemPage({ resource, places }: Props) {
  const { say, session } = useConsole()
  const isCreated = useIsCreated(places.id)
  const path = itemPathOf(resource)
  const {
    value: item,
    error,
    reload,
  } = useLoaded((signal) => read<Item>(path, places, resource.flags, signal), [resource.path, JSON.stringify(places)])
  const [answer, setAnswer] = useState<Item>()
  const names = useNames([...resource.fields, ...resource.facts], places)
  const segments = segmentsOf(resource, places)
  if (error && !item) return <Problem error={error} retry={reload} />
  if (!item || !names) return <p class="quiet">{say('opening')}</p>
  const fields = declaredFields(resource, true)
  const mayChange = may(session, resource.changes)
  const facts = [...resource.facts, ...(mayChange ? [] : Object.keys(fields))]
  const { More } = resource
  return (
    <>
      <Head resource={resource} places={places} title={nameOf(item)} />
      {error && <Problem error={error} retry={reload} />}
      {answer && <Once resource={resource} answer={answer} />}
      {resource.children.length > 0 && (
        <Children names={resource.children} segments={[...segments, String(item._id)]} />
      )}
      {facts.length > 0 && <Facts path={resource.path} facts={facts} item={item} names={names} />}
      {mayChange && (
        <Form
          key={String(item._id)}
          fields={fields}
          item={item}
          names={names}
          isCreated={isCreated}
          send={async (body) => {
            await change(path, places, body)
            reload()
          }}
        />
      )}
      {More && <More places={places} item={item} />}
      {mayChange && (
        <div class="buttons acts">
          <ItemActions
            resource={resource}
            places={places}
            item={item}
            onDone={(done) => {
              if (done) setAnswer(done)
              else goTo(...segments)
            }}
          />
        </div>
      )}
    </>
  )
}

function Children({ names, segments }: { names: ConsoleResource['children']; segments: string[] }) {
  const { say } = useConsole()
  return (
    <p class="children">
      {names.map((name) => (
        <a key={name} class="button second" href={hrefOf(...segments, name)}>
          {say(`page_${name}`)}
        </a>
      ))}
    </p>
  )
}

interface FactsProps {
  path: ConsoleResource['path']
  facts: readonly string[]
  item: Item
  names: NamesOf
}

function Facts({ path, facts, item, names }: FactsProps) {
  const { say } = useConsole()
  return (
    <dl class="facts">
      {facts.map((name) => (
        <div key={name}>
          <dt>{named(say, 'field', name)}</dt>
          <dd>
            <Cell kind={declaredOf(path).item[name] ?? 'text'} value={item[name]} names={names[name]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Head({ resource, places, title, children }: Props & { title: string; children?: ComponentChildren }) {
  const { say } = useConsole()
  return (
    <div class="head">
      <h1>{title}</h1>
      {children}
      <div class="tools">
        <a class="button second" href={hrefOf(...segmentsOf(resource, places))}>
          {say(`page_${resource.name}`)}
        </a>
      </div>
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
