import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { useEffect, useState } from 'preact/hooks'
import { SearchField } from '../../../shared/src/view/search-field.tsx'
import { timeOf } from '../../../shared/src/view/time.ts'
import type { SearchedGuest } from '../scanner.ts'
import type { EarlierEntry } from '../scanning/scan.ts'
import type { ScannerSay } from '../texts/say.ts'
import { FieldValues } from './field-values.tsx'
import type { ViewProps } from './props.ts'

const FEWEST_LETTERS = 2
/** Whoever types faster than this is not done yet. */
const PAUSE_MS = 250
/** The end of a uid, by which a guest with a badge or a ticket tells which one of two namesakes it is. */
const LAST_DIGITS = 4

interface Props extends ViewProps {
  /** Checks a guest in. */
  found: (guest: SearchedGuest) => void
  close: () => void
}

/** Where guests without a code are found by their names: one tap shows the guest, the next one checks in. */
export function SearchView({ scanner, say, found, close }: Props) {
  const [words, setWords] = useState('')
  const [guests, setGuests] = useState<SearchedGuest[]>()
  const [chosen, setChosen] = useState<SearchedGuest>()
  const isLong = words.trim().length >= FEWEST_LETTERS
  const { isUp } = scanner
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
  }, [words, isUp])
  if (chosen)
    return <GuestView scanner={scanner} say={say} guest={chosen} found={found} close={() => setChosen(undefined)} />

  return (
    <main class="search">
      <header>
        <h1>{say('find')}</h1>
        <button type="button" class="second" onClick={close}>
          {say('back')}
        </button>
      </header>
      <SearchField label={say('search')} words={words} setWords={setWords} isFirst />
      {!isUp && <p class="hint">{say('search_offline')}</p>}
      {isLong && guests?.length === 0 && <p role="status">{say('search_none')}</p>}
      {isLong && guests && guests.length > 0 && (
        <ul>
          {guests.map((guest) => (
            <li key={keyOf(guest)}>
              <button type="button" class="second" onClick={() => setChosen(guest)}>
                {guest.name || keyOf(guest)} <small>{dotted(marksOf(guest, say))}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </main>
  )
}

/** A guest who was found. */
function GuestView({ scanner, say, guest, found, close }: Props & { guest: SearchedGuest }) {
  const [entry, setEntry] = useState<EarlierEntry>()
  useEffect(() => {
    if ('uid' in guest) void scanner.lastEntry(guest).then(setEntry)
  }, [])
  const { message, party_size = 1 } = guest
  const digits = digitsOf(guest)
  const entered = enteredOf(guest, say)
  return (
    <main class="guest">
      <h1>{guest.name || keyOf(guest)}</h1>
      {message && <p class="note">{message}</p>}
      <ul>
        {traitsOf(guest).map((trait) => (
          <li key={trait}>{trait}</li>
        ))}
        {digits !== '' && <li>{say('code_end', { digits })}</li>}
        {!entry && entered !== '' && <li>{entered}</li>}
        {party_size > 1 && <li>{say('party_of', { size: party_size })}</li>}
      </ul>
      <FieldValues fields={guest.fields} />
      {entry && <p>{entrySentence(entry, scanner.pointName(entry.accesspoint_id), say)}</p>}
      <button type="button" onClick={() => found(guest)}>
        {say('check_in')}
      </button>
      <button type="button" class="second" onClick={close}>
        {say('back_to_search')}
      </button>
    </main>
  )
}

function entrySentence({ access_stamp }: EarlierEntry, point: string | undefined, say: ScannerSay): string {
  const time = timeOf(access_stamp)
  return point ? say('in_before', { time, point }) : say('in_before_at', { time })
}

/** What tells a guest from others of the same name. */
export function marksOf(guest: SearchedGuest, say: ScannerSay): string[] {
  const digits = digitsOf(guest)
  return [...traitsOf(guest), digits && `…${digits}`, enteredOf(guest, say)].filter((each) => each !== '')
}

function traitsOf({ company, position, category }: SearchedGuest): string[] {
  return [company, position, category].filter((each): each is string => Boolean(each))
}

function digitsOf(guest: SearchedGuest): string {
  return 'uid' in guest && guest.uid !== guest.name ? guest.uid.slice(-LAST_DIGITS) : ''
}

function enteredOf(guest: SearchedGuest, say: ScannerSay): string {
  if (guest.checked_in_at) return say('entered_at', { time: timeOf(guest.checked_in_at) })
  return 'isIn' in guest && guest.isIn ? say('entered') : ''
}

function keyOf(guest: SearchedGuest): string {
  return 'uid' in guest ? guest.uid : guest.hash
}
