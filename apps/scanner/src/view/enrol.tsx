import { useEffect, useMemo, useState } from 'preact/hooks'
import { GatehouseError } from '../../../../clients/typescript/client.ts'
import type { ViewProps } from './props.ts'
import { UnsentScans } from './unsent-scans.tsx'
import { UnsentSignatures } from './unsent-signatures.tsx'

const PROBLEMS: Record<number, 'enrol_wrong' | 'enrol_slow'> = { 401: 'enrol_wrong', 429: 'enrol_slow' }

/** Enrols this device by a code. `drop` forgets the code that the address held. */
export function EnrolView({ scanner, say, code, drop }: ViewProps & { code: string; drop: () => void }) {
  const { device, waiting, waitingOfOthers, waitingSignatures, waitingSignaturesOfOthers } = scanner
  const unsent = waiting + waitingOfOthers
  const isRevoked = device !== undefined && !device.token
  return (
    <main>
      <h1>{say(isRevoked ? 'revoked_title' : 'enrol_title')}</h1>
      <p>{say(isRevoked ? 'revoked_text' : 'enrol_text')}</p>
      {isRevoked && unsent > 0 && (
        <UnsentScans scanner={scanner} say={say} words={say('revoked_waiting', { count: unsent })} />
      )}
      <UnsentSignatures scanner={scanner} say={say} count={waitingSignatures + waitingSignaturesOfOthers} />
      <EnrolForm scanner={scanner} say={say} code={code} drop={drop} />
      {device?.token && (
        <button type="button" class="second" onClick={drop}>
          {say('back')}
        </button>
      )}
    </main>
  )
}

function EnrolForm({ scanner, say, code: given, drop }: ViewProps & { code: string; drop: () => void }) {
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
    // An enrolled device stays what it is until the steward confirms: anyone can make an address.
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
