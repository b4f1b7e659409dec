import { useEffect, useMemo, useState } from 'preact/hooks'
import { GatehouseError } from '../../../../clients/typescript/client.ts'
import type { ViewProps } from './props.ts'
import { Stranded } from './stranded.tsx'

const PROBLEMS: Record<number, 'enrol_wrong' | 'enrol_slow'> = { 401: 'enrol_wrong', 429: 'enrol_slow' }

/** Makes this a phone of a stand, by a code. `drop` forgets the code that the address held. */
export function EnrolView({ leads, say, code, drop }: ViewProps & { code: string; drop: () => void }) {
  const { stand } = leads
  const hasEnded = stand !== undefined && !stand.access_token
  return (
    <main>
      <h1>{say(hasEnded ? 'ended_title' : 'enrol_title')}</h1>
      <p>{say(hasEnded ? 'ended_text' : 'enrol_text')}</p>
      <Stranded leads={leads} say={say} />
      <EnrolForm leads={leads} say={say} code={code} drop={drop} />
      {stand?.access_token && (
        <button type="button" class="second" onClick={drop}>
          {say('back')}
        </button>
      )}
    </main>
  )
}

function EnrolForm({ leads, say, code: given, drop }: ViewProps & { code: string; drop: () => void }) {
  const [code, setCode] = useState(given)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  // A second try after a lost answer gets the same token.
  const key = useMemo(() => crypto.randomUUID(), [code])
  const enrol = async () => {
    setBusy(true)
    setProblem('')
    try {
      await leads.enrol(code.trim(), key)
      drop()
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error
      setProblem(say(PROBLEMS[error.status] ?? 'enrol_away'))
      setBusy(false)
    }
  }
  useEffect(() => {
    // A phone stays that of its stand until someone confirms: anyone can make an address.
    if (given && !leads.stand?.access_token) void enrol()
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
