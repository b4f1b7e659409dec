import type { Say } from '@gatehouse/proto/pages/languages.ts'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { GatehouseError } from '../../../../clients/typescript/client.ts'

type EnrolKey = 'code' | 'enrol' | 'enrol_wrong' | 'enrol_slow' | 'enrol_away'

const PROBLEMS: Record<number, 'enrol_wrong' | 'enrol_slow'> = { 401: 'enrol_wrong', 429: 'enrol_slow' }

interface Props {
  say: Say<EnrolKey>
  /** The code that the address held; empty if it held none. */
  code: string
  /** Whether this device is enrolled already: then the code waits for a confirmation, since anyone can make an address. */
  isEnrolled: boolean
  /** Exchanges a code. The same key gets the same answer. Throws a `GatehouseError` if the server does not take it. */
  enrol: (code: string, key: string) => Promise<void>
  /** Called when this device is enrolled. */
  done: () => void
}

/** Where a code is typed that enrols this device, or is sent at once if the address held it. */
export function EnrolForm({ say, code: given, isEnrolled, enrol: exchange, done }: Props) {
  const [code, setCode] = useState(given)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  // A second try after a lost answer gets the same token.
  const key = useMemo(() => crypto.randomUUID(), [code])
  const enrol = async () => {
    setBusy(true)
    setProblem('')
    try {
      await exchange(code.trim(), key)
      done()
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error
      setProblem(say(PROBLEMS[error.status] ?? 'enrol_away'))
      setBusy(false)
    }
  }
  useEffect(() => {
    if (given && !isEnrolled) void enrol()
  }, [])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void enrol()
      }}
    >
      <label for="code">{say('code')}</label>
      <input
        id="code"
        class="code"
        value={code}
        onInput={({ currentTarget }) => setCode(currentTarget.value)}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        maxLength={20}
        required
        aria-invalid={problem !== ''}
        aria-describedby="problem"
      />
      <p id="problem" class="problem" role="alert">
        {problem}
      </p>
      <button type="submit" disabled={isBusy}>
        {say('enrol')}
      </button>
    </form>
  )
}
