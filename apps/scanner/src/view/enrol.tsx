import { useEffect, useMemo, useState } from 'preact/hooks'
import { GatehouseError } from '../../../../clients/typescript/client.ts'
import { KeptSignatures } from './kept-signatures.tsx'
import type { ViewProps } from './props.ts'
import { SaveScans } from './save-scans.tsx'

const PROBLEMS: Record<number, 'enrol_wrong' | 'enrol_slow'> = { 401: 'enrol_wrong', 429: 'enrol_slow' }

interface Props extends ViewProps {
  /** The code that the address held. */
  code: string
  /** Forgets that code. */
  drop: () => void
}

/** Where a code makes this the organizer's device. */
export function EnrolView({ scanner, say, code: given, drop }: Props) {
  const { device, waiting, waitingOfOthers, waitingSignatures, waitingSignaturesOfOthers } = scanner
  const unsent = waiting + waitingOfOthers
  const isRevoked = device !== undefined && !device.token
  return (
    <main>
      <h1>{say(isRevoked ? 'revoked_title' : 'enrol_title')}</h1>
      <p>{say(isRevoked ? 'revoked_text' : 'enrol_text')}</p>
      {isRevoked && unsent > 0 && (
        <div class="notice">
          <p>{say('revoked_waiting', { count: unsent })}</p>
          <SaveScans scanner={scanner} say={say} />
        </div>
      )}
      <KeptSignatures scanner={scanner} say={say} count={waitingSignatures + waitingSignaturesOfOthers} />
      <EnrolForm scanner={scanner} say={say} code={given} drop={drop} />
      {device?.token && (
        <button type="button" class="second" onClick={drop}>
          {say('back')}
        </button>
      )}
    </main>
  )
}

function EnrolForm({ scanner, say, code: given, drop }: Props) {
  const [code, setCode] = useState(given)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  // A second try after a lost answer gets the same token.
  const key = useMemo(() => crypto.randomUUID(), [code])
  const enrol = async () => {
    setBusy(true)
    setProblem('')
    try {
      await scanner.enrol(code.trim(), key)
      drop()
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error
      setProblem(say(PROBLEMS[error.status] ?? 'enrol_away'))
      setBusy(false)
    }
  }
  useEffect(() => {
    // What is a device already stays it until the steward says otherwise: anyone can make an address.
    if (given && !scanner.device?.token) void enrol()
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
