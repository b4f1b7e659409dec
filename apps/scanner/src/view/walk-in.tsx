import { useEffect, useRef, useState } from 'preact/hooks'
import type { WalkInCategory } from '../offline/guest-list.ts'
import type { ScannerSay } from '../texts/say.ts'
import type { ViewProps } from './props.ts'

/** As many as the server takes at once. */
const MOST_PERSONS = 500
const LONGEST_NAME = 100

interface Props extends ViewProps {
  /** Adds a guest and checks the guest in. */
  add: (name: string, category: WalkInCategory, persons: number) => void
  close: () => void
}

/** Where a guest who is on no list is added: a name, a category unless there is one only, and how many come if more than one. */
export function WalkInView({ scanner, say, add, close }: Props) {
  const categories = scanner.walkInCategories()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string>()
  const [persons, setPersons] = useState(1)
  const field = useRef<HTMLInputElement>(null)
  // Whoever opens this wants to type.
  useEffect(() => field.current?.focus(), [])
  const category = categories.length === 1 ? categories[0] : categories.find(({ _id }) => _id === chosen)
  return (
    <main>
      <h1>{say('walk_in')}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (category && name.trim() !== '') add(name.trim(), category, persons)
        }}
      >
        <label for="name">{say('walk_in_name')}</label>
        <input
          ref={field}
          id="name"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={LONGEST_NAME}
          required
          autocomplete="off"
          autocapitalize="words"
          spellcheck={false}
        />
        {categories.length > 1 && (
          <fieldset class="choices">
            <legend>{say('walk_in_category')}</legend>
            {categories.map(({ _id, name }) => (
              <label class="check" key={_id}>
                <input type="radio" name="category" required checked={_id === chosen} onChange={() => setChosen(_id)} />
                {name}
              </label>
            ))}
          </fieldset>
        )}
        <Persons say={say} persons={persons} change={setPersons} />
        <button type="submit">{say('check_in')}</button>
      </form>
      <button type="button" class="second" onClick={close}>
        {say('back')}
      </button>
    </main>
  )
}

interface PersonsProps {
  say: ScannerSay
  persons: number
  change: (persons: number) => void
}

function Persons({ say, persons, change }: PersonsProps) {
  return (
    <div class="persons">
      <span id="persons">{say('walk_in_persons')}</span>
      <button
        type="button"
        class="second"
        aria-label={say('walk_in_fewer')}
        disabled={persons === 1}
        onClick={() => change(persons - 1)}
      >
        −
      </button>
      <output aria-labelledby="persons">{persons}</output>
      <button
        type="button"
        class="second"
        aria-label={say('walk_in_more')}
        disabled={persons === MOST_PERSONS}
        onClick={() => change(persons + 1)}
      >
        +
      </button>
    </div>
  )
}
