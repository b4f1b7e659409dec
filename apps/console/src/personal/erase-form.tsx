import { useState } from 'preact/hooks'
import { asRefusal, type GatehouseError, type Item, newKey, post } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'
import { Problem } from '../view/problem.tsx'
import { announce } from '../view/toasts.tsx'
import { dataName, documentsOf, isKept, type Subject } from './documents.ts'

const ERASURES = '/api/v1/events/{event_id}/erasures.json'

interface Props {
  subject: Subject
  /** Called with the erasure, or with none where it was cancelled. */
  onEnd: (erasure?: Item) => void
}

/** Erases a person's data at an event, once it is known what goes and the name is typed. */
export function EraseForm({ subject, onEnd }: Props) {
  const { say } = useConsole()
  const { event_id, event, name, by, value } = subject
  const { value: documents, error: unread, reload } = useLoaded((signal) => documentsOf(subject, signal), [by, value])
  const [typed, setTyped] = useState('')
  const [key] = useState(newKey)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  const erase = async (submitted: SubmitEvent): Promise<void> => {
    submitted.preventDefault()
    setSending(true)
    setError(undefined)
    try {
      const erasure = await post(ERASURES, { event_id }, { by, value }, key)
      announce(say(erasure.state === 'done' ? 'deleted' : 'data_running'))
      onEnd(erasure)
    } catch (problem) {
      setError(asRefusal(problem))
      setSending(false)
    }
  }
  return (
    <form class="panel erase" onSubmit={(submitted) => void erase(submitted)}>
      <h2>{say('data_erase_title', { name, event })}</h2>
      {unread && <Problem error={unread} retry={reload} />}
      {!documents && !unread && <p class="quiet">{say('data_erase_reading')}</p>}
      {documents && (
        <>
          <p>{say('data_erase_goes')}</p>
          <ul>
            {[...documents].map(([data, items]) => {
              const what = say('audit_items', { what: dataName(say, data), count: items.length })
              return <li key={data}>{isKept(data) ? say('data_erase_stays', { what }) : what}</li>
            })}
          </ul>
          <label class="field">
            <span>{say('data_erase_confirm', { word: name })}</span>
            <input value={typed} autocomplete="off" onInput={({ currentTarget }) => setTyped(currentTarget.value)} />
          </label>
        </>
      )}
      {error && <Problem error={error} />}
      <div class="buttons">
        <button type="submit" class="second alarming" disabled={isSending || !documents || typed.trim() !== name}>
          {say('data_erase_now')}
        </button>
        <button type="button" class="second" disabled={isSending} onClick={() => onEnd()}>
          {say('cancel')}
        </button>
      </div>
    </form>
  )
}
