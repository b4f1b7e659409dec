import { useEffect, useState } from 'preact/hooks'
import type { FoundGuest } from '../server/server.ts'
import type { ViewProps } from './props.ts'

const FEWEST_LETTERS = 2
/** Whoever types faster than this is not done yet. */
const PAUSE_MS = 250

/** Where guests without a code are found by their names. */
export function SearchForm({ scanner, say, found }: ViewProps & { found: (content: string) => void }) {
  const [words, setWords] = useState('')
  const [guests, setGuests] = useState<FoundGuest[]>()
  const isLong = words.trim().length >= FEWEST_LETTERS
  useEffect(() => {
    setGuests(undefined)
    if (!isLong) return
    let isOld = false
    const timer = setTimeout(() => {
      scanner.search(words.trim()).then(
        (answer) => !isOld && setGuests(answer),
        () => {},
      )
    }, PAUSE_MS)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [words])
  const choose = ({ uid }: FoundGuest) => {
    setWords('')
    found(uid)
  }

  return (
    <div class="search">
      <label for="words">{say('search')}</label>
      <input
        id="words"
        type="search"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
        autocomplete="off"
        spellcheck={false}
      />
      {isLong && !scanner.isUp && <p class="hint">{say('search_offline')}</p>}
      {isLong && guests?.length === 0 && <p class="hint">{say('search_none')}</p>}
      {isLong && guests && guests.length > 0 && (
        <ul>
          {guests.map((guest) => (
            <li key={guest.uid}>
              <button type="button" class="second" onClick={() => choose(guest)}>
                {guest.name || guest.uid} {guest.category && <span class="category">{guest.category}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
