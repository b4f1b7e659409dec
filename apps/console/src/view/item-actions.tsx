import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { declaredOf } from '../declared/declared.ts'
import { type ConsoleResource, type ItemAction, idParamOf, itemPathOf, type PageProps } from '../resources/resource.ts'
import { asRefusal, type GatehouseError, type Item, newKey, type PathParams, post, remove } from '../server/server.ts'
import type { Session } from '../session/session.ts'
import type { TextKey } from '../texts/words.ts'
import { useConsole } from './console.ts'
import { nameOf } from './names.ts'
import { Problem } from './problem.tsx'
import { announce } from './toasts.tsx'

/** What is said when something was deleted, by the word for that. */
const DELETED: Partial<Record<TextKey, TextKey>> = { delete: 'deleted', revoke: 'revoked', undo: 'undone' }

interface Props extends PageProps {
  resource: ConsoleResource
  item: Item
  /** What is offered: the actions of the resource, or deleting the item; both, as in the rows of a list, unless given. */
  offers?: 'actions' | 'deletion'
  /** What is asked at once, by its label, if it is offered. */
  asks?: string | undefined
  /** The id of the item's form while something is typed there that is not saved: actions wait for that, which would go by what is stored. */
  unsaved?: string | undefined
  /** Called when something was done; with the answer, if one is given. */
  onDone: (answer?: Item) => void
}

/** What can be done to an item besides changing it. What cannot be undone asks first, such as deleting it. */
export function ItemActions({ resource, params, item, offers, asks, unsaved, onDone }: Props) {
  const { say, session } = useConsole()
  const acts = [
    ...(offers === 'deletion' ? [] : actionsOf(resource, params, item)),
    ...(offers === 'actions' ? [] : deletionsOf(resource, params, item, session)),
  ]
  const [asking, setAsking] = useState(acts.find((act) => act.asks && act.label === asks))
  const [error, setError] = useState<GatehouseError>()
  const isHeld = ({ isAnytime }: Act): boolean => unsaved !== undefined && !isAnytime
  // Once it is saved nothing is asked: the button that saves must not become one that sends.
  useLayoutEffect(() => (unsaved === undefined ? undefined : () => setAsking(undefined)), [unsaved])
  const run = async ({ act, says }: Act): Promise<void> => {
    setError(undefined)
    try {
      onDone(await act())
      setAsking(undefined)
      if (says) announce(say(says))
    } catch (problem) {
      setError(asRefusal(problem))
    }
  }
  const isInRow = offers === undefined
  const cancel = (
    <button type="button" class="second" onClick={() => setAsking(undefined)}>
      {say('cancel')}
    </button>
  )
  const held = asking && isHeld(asking) && (
    <span class="asking" role="alert">
      <span>{say('save_first')}</span>
      <button type="submit" form={unsaved}>
        {say('save')}
      </button>
      {cancel}
    </span>
  )
  const question =
    held ||
    (asking?.asks && (
      <span class="asking" role="alert">
        {asking.isDeletion && <Named {...{ resource, params, item }} />}
        {asking.Asks ? <asking.Asks params={params} item={item} /> : <span>{say(asking.asks)}</span>}
        <button type="button" class={asking.isAlarming ? 'alarming' : ''} onClick={() => void run(asking)}>
          {say(asking.label)}
        </button>
        {cancel}
      </span>
    ))
  return (
    <>
      {acts
        .filter(({ label }) => isInRow || label !== asking?.label)
        .map((act) => (
          <button
            key={act.label}
            type="button"
            // What stands in each row is quiet; what it asks is not.
            class={act.isMain ? '' : `second${act.isAlarming && offers ? ' alarming' : ''}`}
            onClick={() => (act.asks || isHeld(act) ? setAsking(act) : void run(act))}
          >
            {say(act.label)}
          </button>
        ))}
      {asking && question && isInRow ? (
        <Dialog label={say(asking.label)} onClose={() => setAsking(undefined)}>
          {question}
          {error && <Problem error={error} />}
        </Dialog>
      ) : (
        <>
          {question}
          {error && <Problem error={error} />}
        </>
      )}
    </>
  )
}

/** What goes, by name, if it has one. */
function Named({ resource: { Heading }, params, item }: Pick<Props, 'resource' | 'params' | 'item'>) {
  const name = nameOf(item)
  if (Heading)
    return (
      <strong>
        <Heading params={params} item={item} />
      </strong>
    )
  return name === item._id ? null : <strong>{name}</strong>
}

interface DialogProps {
  label: string
  onClose: () => void
  children: ComponentChildren
}

/** What is asked about a row of a list: over the page, which moves nothing in the row. The focus is on *Cancel*, so that a key that is held does nothing. */
function Dialog({ label, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('.second')?.focus()
  }, [])
  return (
    <dialog ref={dialog} class="question" aria-label={label} onClose={onClose}>
      {children}
    </dialog>
  )
}

interface Act extends Pick<ItemAction, 'label' | 'asks' | 'Asks' | 'isMain' | 'isAnytime'> {
  says: TextKey | undefined
  isAlarming: boolean
  /** What goes is named. */
  isDeletion?: true
  act: () => Promise<Item | undefined>
}

function actionsOf({ actions }: ConsoleResource, params: PathParams, item: Item): Act[] {
  return actions
    .filter(({ offered = () => true }) => offered(item))
    .map(({ path, body, says, ...action }) => {
      const act = () => post(path, paramsOf(path, params, item), body, newKey())
      return { ...action, says: typeof says === 'function' ? says(item) : says, isAlarming: false, act }
    })
}

function deletionsOf(resource: ConsoleResource, params: PathParams, item: Item, session: Session): Act[] {
  const { deletion, deletes = () => true } = resource
  if (!deletion || !declaredOf(resource.path).deletes || !deletes(item, session)) return []
  const act = () => remove(itemPathOf(resource), params)
  return [
    {
      label: deletion,
      asks: deletion === 'undo' ? 'undo_asks' : 'really',
      says: DELETED[deletion] ?? 'deleted',
      isAlarming: deletion !== 'undo',
      isDeletion: true,
      act,
    },
  ]
}

/** The parameters of an action's path: those of the page, fields of the item, and its id as the last one. */
function paramsOf(path: string, params: PathParams, item: Item): PathParams {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const all = Object.fromEntries(names.map((name) => [name, params[name] ?? String(item[name])]))
  return { ...all, [idParamOf(path)]: String(item._id) }
}
