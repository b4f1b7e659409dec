import { useRef, useState } from 'preact/hooks'
import { fieldErrorWords } from '../form/error-words.ts'
import type { ConsoleResource, PageProps } from '../resources/resource.ts'
import { goTo } from '../route/route.ts'
import { asRefusal, type GatehouseError, type Item, newKey, post } from '../server/server.ts'
import { useConsole } from './console.ts'
import { useAskBeforeLeaving } from './leaving.ts'
import { Problem } from './problem.tsx'
import { segmentsOf } from './resource-list.tsx'
import { announce } from './toasts.tsx'

/** Of which items there may be several at once. */
interface SeveralItemsProps extends PageProps {
  resource: ConsoleResource
  /** Those that there are. */
  items: readonly Item[]
  /** What each one has besides its name. */
  begin: object
}

/** Makes several items at once, each of a line that is its name; open where there is none yet. What could not be made stays, with the reason. */
export function SeveralItems({ resource, params, items, begin }: SeveralItemsProps) {
  const { say } = useConsole()
  const [text, setText] = useState('')
  const [made, setMade] = useState<readonly Item[]>([])
  const [error, setError] = useState<GatehouseError>()
  const [isSending, setSending] = useState(false)
  const keys = useRef(new Map<string, string>())
  const { names, repeated, taken } = namesIn(text, [...items, ...made])
  useAskBeforeLeaving(text.trim() !== '', text.trim() !== '' && !isSending)
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    setSending(true)
    setError(undefined)
    const waiting = [...names]
    try {
      for (const name of names) {
        // What got no answer may have been done.
        const key = keys.current.get(name) ?? newKey()
        keys.current.set(name, key)
        const item = await post(resource.path, params, { ...begin, name }, key)
        waiting.shift()
        setText(waiting.join('\n'))
        setMade((before) => [...before, item])
      }
      goTo(...segmentsOf(resource, params))
      announce(say('several_added', { count: names.length }))
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setSending(false)
  }
  const isWrong = error !== undefined && Object.keys(error.errors).length > 0
  return (
    <details class="several" open={items.length === 0}>
      <summary>{say('several')}</summary>
      <form onSubmit={(event) => void submit(event)}>
        <div class="field">
          <label for="several">{say('several_lines')}</label>
          <textarea
            id="several"
            rows={6}
            value={text}
            disabled={isSending}
            aria-describedby="several-hint several-notes"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <small id="several-hint" class="hint">
            {say('several_hint')}
          </small>
          <output id="several-notes">
            {repeated.length > 0 && <small>{say('several_repeated', { names: repeated.join(', ') })}</small>}
            {taken.length > 0 && <small>{say('several_taken', { names: taken.join(', ') })}</small>}
            {made.length > 0 && names.length > 0 && <small>{say('several_added', { count: made.length })}</small>}
          </output>
        </div>
        {isWrong && (
          <p class="problem" role="alert">
            {names[0]}: {fieldErrorWords(say, error)}
          </p>
        )}
        {error && !isWrong && <Problem error={error} />}
        <button type="submit" disabled={isSending || names.length === 0}>
          {say('several_add', { count: names.length })}
        </button>
      </form>
    </details>
  )
}

/** The names in a text, one in a line, each once and without those that are taken; and those that stand there for nothing. */
function namesIn(text: string, items: readonly Item[]) {
  const there = new Set(items.map(({ name }) => folded(String(name))))
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const first = lines.filter((line, at) => lines.findIndex((each) => folded(each) === folded(line)) === at)
  return {
    names: first.filter((name) => !there.has(folded(name))),
    repeated: first.filter((name) => lines.filter((each) => folded(each) === folded(name)).length > 1),
    taken: first.filter((name) => there.has(folded(name))),
  }
}

function folded(name: string): string {
  return name.trim().normalize('NFC').toLocaleLowerCase()
}
