import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { KioskProps } from './texts.ts'

const PROBLEMS = { none: 'none', slow: 'slow', away: 'offline' } as const

interface Props extends Pick<KioskProps, 'scanner' | 'kiosk'> {
  /** Told whether anything is typed. */
  onTyped: (isTyped: boolean) => void
}

/** Where a guest without a code types last name and e-mail address: it says no more of them than whether they are one guest's. */
export function NameForm({ scanner, kiosk, onTyped }: Props) {
  const [last_name, setLastName] = useState('')
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isOver = useRef(false)
  // At once: the network may go before the next frame, and with it a form that nobody has begun.
  useLayoutEffect(() => onTyped(last_name !== '' || email !== ''), [last_name, email])
  useEffect(
    () => () => {
      isOver.current = true
    },
    [],
  )
  const type = (set: (value: string) => void, value: string) => {
    set(value)
    setProblem('')
  }
  const find = async () => {
    setBusy(true)
    setProblem('')
    const found = await scanner.checkInNamed(last_name, email, () => isOver.current)
    if (isOver.current) return
    setBusy(false)
    if (found !== 'found') setProblem(kiosk(PROBLEMS[found]))
  }
  return (
    <form
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void find()
      }}
    >
      <label for="kiosk-name">{kiosk('last_name')}</label>
      <input
        id="kiosk-name"
        value={last_name}
        onInput={({ currentTarget }) => type(setLastName, currentTarget.value)}
        autocomplete="off"
        autocapitalize="words"
        spellcheck={false}
        maxLength={200}
        required
      />
      <label for="kiosk-address">{kiosk('email')}</label>
      {/* No field of its type: a browser would fill in addresses that it knows. */}
      <input
        id="kiosk-address"
        value={email}
        onInput={({ currentTarget }) => type(setEmail, currentTarget.value)}
        inputMode="email"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={250}
        required
      />
      <p class="problem" role="alert">
        {problem}
      </p>
      <button type="submit" disabled={isBusy}>
        {kiosk('check_in')}
      </button>
    </form>
  )
}
