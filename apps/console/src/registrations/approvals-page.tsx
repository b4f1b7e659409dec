import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageProps } from '../resources/resource.ts'
import { asRefusal, change, client, type GatehouseError } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { Icon } from '../view/icon.tsx'
import { useLoaded } from '../view/loaded.ts'
import { nameOf } from '../view/names.ts'
import { Problem } from '../view/problem.tsx'
import { Approval, type Registration } from './approval.tsx'
import { noteDecision, REGISTRATIONS, useMayDecide } from './pending.ts'

const REGISTRATION = '/api/v1/events/{event_id}/registrations/{id}.json'
/** The most that are shown at once: others come up as these are decided. */
const MOST = 100
const READ_EVERY_MS = 30_000

type State = Registration['registration_state']

/** What was decided last. */
interface Decided {
  registration: Registration
  state: State
}

/** The registrations that wait for the organizer, decided one by one: by a button or by a key each. */
export function ApprovalsPage({ params }: PageProps) {
  const { say } = useConsole()
  const event_id = params.event_id ?? ''
  const { value, error, reload } = useLoaded((signal) => pendingOf(event_id, signal), [event_id], READ_EVERY_MS)
  const [decided, setDecided] = useState<Decided>()
  const [refused, setRefused] = useState<GatehouseError>()
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const list = useRef<HTMLUListElement>(null)
  const mayDecide = useMayDecide()
  const waiting = value?.registrations.filter(({ _id }) => !gone.has(_id)) ?? []
  const wantsMore = value !== undefined && waiting.length === 0 && value.registrations.length === MOST
  useEffect(() => {
    if (wantsMore) reload()
  }, [wantsMore])

  const decide = async (registration: Registration, state: State): Promise<void> => {
    const { _id } = registration
    setRefused(undefined)
    focusBeside(list.current, _id)
    setGone((before) => (state === 'pending' ? without(before, _id) : new Set([...before, _id])))
    try {
      await change(REGISTRATION, { event_id, id: _id }, { registration_state: state })
      setDecided(state === 'pending' ? undefined : { registration, state })
      noteDecision()
    } catch (problem) {
      setRefused(asRefusal(problem))
      setGone((before) => without(before, _id))
    }
    if (state === 'pending') reload()
  }
  const undo = (): void => {
    if (decided?.state === 'rejected') void decide(decided.registration, 'pending')
  }
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLInputElement) return
    const row = (event.target as Element).closest<HTMLElement>('[data-id]')
    const registration = waiting.find(({ _id }) => _id === row?.dataset.id) ?? waiting[0]
    const act = KEYS[event.key]
    if (!act) return
    event.preventDefault()
    if (act === 'undo') undo()
    else if (act === 1 || act === -1) move(list.current, row, act)
    else if (registration && mayDecide) void decide(registration, act)
  }

  if (error && !value) return <Problem error={error} retry={reload} />
  if (!value) return <p class="quiet">{say('opening')}</p>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole page; each has a button too
    <div class="approvals" onKeyDown={press}>
      <div class="head">
        <h1>{say('page_registrations')}</h1>
        {waiting.length > 0 && <span class="quiet">{say('approvals_waiting', { count: waiting.length })}</span>}
      </div>
      {error && <Problem error={error} retry={reload} />}
      {refused && <Problem error={refused} />}
      <output class={decided ? 'notice' : ''}>
        {decided && (
          <span class="buttons">
            {said(say, decided, value.confirming)}
            {decided.state === 'rejected' && (
              <button type="button" class="second" onClick={undo}>
                {say('undo')} <kbd>U</kbd>
              </button>
            )}
          </span>
        )}
      </output>
      {waiting.length === 0 ? (
        <div class="empty">
          <Icon name="invitations" />
          <p class="quiet">{say('approvals_none')}</p>
        </div>
      ) : (
        mayDecide && <p class="quiet keys">{say('approvals_keys')}</p>
      )}
      <ul class="rows approvable" ref={list}>
        {waiting.map((registration) => (
          <Approval
            key={registration._id}
            registration={registration}
            partner={value.partners.get(registration.partner_id ?? '')}
            category={value.categories.get(registration.guest_category_id ?? '')}
            labels={value.labels}
            {...(mayDecide && { decide: (state: State) => void decide(registration, state) })}
          />
        ))}
      </ul>
    </div>
  )
}

const KEYS: Readonly<Record<string, State | 'undo' | 1 | -1>> = {
  a: 'approved',
  r: 'rejected',
  u: 'undo',
  ArrowDown: 1,
  ArrowUp: -1,
}

/** What a decision has brought about, and what went out. */
function said(
  say: ReturnType<typeof useConsole>['say'],
  { registration, state }: Decided,
  confirming: ReadonlySet<string>,
): string {
  const { email, guest_category_id } = registration
  const name = nameOf(registration)
  if (state === 'rejected') return say('approvals_rejected', { name })
  const isConfirmed = guest_category_id !== null && confirming.has(guest_category_id)
  return say(isConfirmed ? 'approvals_approved_mail' : 'approvals_approved', { name, email })
}

function without(ids: ReadonlySet<string>, id: string): Set<string> {
  return new Set([...ids].filter((each) => each !== id))
}

/** Moves the focus to the next row, or the previous one; to the first if none has it. */
function move(list: HTMLUListElement | null, row: HTMLElement | null, step: 1 | -1): void {
  const next = step === 1 ? row?.nextElementSibling : row?.previousElementSibling
  const to = row ? next : list?.firstElementChild
  if (to instanceof HTMLElement) to.focus()
}

/** Before a row goes, gives the focus to the one that takes its place. */
function focusBeside(list: HTMLUListElement | null, id: string): void {
  const row = list?.querySelector(`[data-id="${CSS.escape(id)}"]`)
  const beside = row?.nextElementSibling ?? row?.previousElementSibling ?? document.querySelector('main')
  if (beside instanceof HTMLElement) beside.focus()
}

/** What waits, and the words for what it names. */
async function pendingOf(event_id: string, signal: AbortSignal) {
  const path = { event_id }
  const query = { registration_state: 'pending', per_page: MOST } as const
  const [{ data: registrations }, { data: partners }, { data: categories }, { data: fields }] = await Promise.all([
    client.GET(REGISTRATIONS, { params: { path, query }, signal }),
    client.GET('/api/v1/events/{event_id}/partners.json', { params: { path }, signal }),
    client.GET('/api/v1/events/{event_id}/guest_categories.json', { params: { path }, signal }),
    client.GET('/api/v1/events/{event_id}/guest_fields.json', { params: { path }, signal }),
  ])
  return {
    registrations,
    partners: new Map(partners.map(({ _id, name }) => [_id, name])),
    categories: new Map(categories.map(({ _id, name }) => [_id, name])),
    confirming: new Set(categories.filter((each) => each.confirmation_email_enabled).map(({ _id }) => _id)),
    labels: new Map(fields.map(({ key, label }) => [key, label?.trim() ? label : key])),
  }
}
