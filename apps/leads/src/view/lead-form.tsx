import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { timeOf } from '../../../shared/src/view/time.ts'
import { nameOf, type StoredLead } from '../lead/lead.ts'
import type { LeadsSay } from '../texts/say.ts'
import type { ViewProps } from './props.ts'

/** Whoever types faster than this is not done yet. */
const PAUSE_MS = 300
const RATINGS = [1, 2, 3, 4, 5]
const LONGEST_NOTE = 5_000
/** What the heading says already, or nobody reads. */
const HEADED = new Set(['first_name', 'last_name', 'uid'])

/** What the stand notes of a guest. All is stored while it is typed. */
function useJudgement(leads: ViewProps['leads'], lead: StoredLead) {
  const [note, setNote] = useState(lead.note)
  const [rating, setRating] = useState(lead.rating)
  const [isTyped, setTyped] = useState(false)
  const unsaved = useRef<() => void>(undefined)
  const save = (judgement: Pick<StoredLead, 'note' | 'rating'>) => {
    unsaved.current = undefined
    setTyped(false)
    void leads.judge(lead, judgement)
  }
  // What another phone of the stand writes comes in, unless it is being changed here.
  useEffect(() => {
    if (isTyped || lead.change !== null) return
    setNote(lead.note)
    setRating(lead.rating)
  }, [lead.note, lead.rating, lead.change])
  useEffect(() => {
    if (!isTyped) return
    const timer = setTimeout(() => unsaved.current?.(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [note, isTyped])
  useLayoutEffect(() => {
    const saveNow = () => unsaved.current?.()
    document.addEventListener('visibilitychange', saveNow)
    return () => {
      document.removeEventListener('visibilitychange', saveNow)
      saveNow()
    }
  }, [])
  const rate = (given: number) => {
    const changed = given === rating ? null : given
    setRating(changed)
    save({ note, rating: changed })
  }
  const write = (typed: string) => {
    setNote(typed)
    setTyped(true)
    // At once, not in an effect: "Done" may come before the next frame, when effects run.
    unsaved.current = () => save({ note: typed, rating })
  }
  return { note, rating, rate, write }
}

/** A lead, with what the stand notes of the guest. */
export function LeadForm({ leads, say, lead, close }: ViewProps & { lead: StoredLead; close: () => void }) {
  const { note, rating, rate, write } = useJudgement(leads, lead)
  return (
    <section class="lead" aria-labelledby="guest">
      <h2 id="guest">{nameOf(lead)}</h2>
      <Facts lead={lead} say={say} />
      <fieldset class="rating">
        <legend>{say('rating')}</legend>
        {RATINGS.map((each) => (
          <button
            key={each}
            type="button"
            class="second"
            aria-pressed={rating === each}
            aria-label={say('rating_of', { rating: each })}
            onClick={() => rate(each)}
          >
            <span aria-hidden="true">{rating !== null && each <= rating ? '★' : '☆'}</span>
          </button>
        ))}
      </fieldset>
      <label for="note">{say('note')}</label>
      <textarea
        id="note"
        rows={4}
        maxLength={LONGEST_NOTE}
        value={note}
        onInput={({ currentTarget }) => write(currentTarget.value)}
      />
      <button type="button" onClick={close}>
        {say('done')}
      </button>
    </section>
  )
}

function Facts({ lead, say }: { lead: StoredLead; say: LeadsSay }) {
  const { guest, guest_uid, author, created_at, problem, state } = lead
  const values = Object.entries(guest ?? {}).flatMap(([field, value]) => (HEADED.has(field) || !value ? [] : [value]))
  return (
    <>
      {values.length > 0 && (
        <ul class="facts">
          {values.map((value) => (
            <li key={value}>{value}</li>
          ))}
        </ul>
      )}
      <p class="hint">{say('scanned_by', { author, time: timeOf(created_at) })}</p>
      {guest_uid === null && <p class="hint">{say('ciphered')}</p>}
      {guest === null && problem === null && nameOf(lead) === guest_uid && <p class="hint">{say('nameless')}</p>}
      {problem !== null && (
        <p class="problem" role="alert">
          {say(state === 'refused' ? 'refused' : 'held_up')}
        </p>
      )}
    </>
  )
}
