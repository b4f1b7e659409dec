import { useEffect, useMemo, useState } from 'preact/hooks'
import { GatehouseError } from '../../../../clients/typescript/client.ts'
import type { ViewProps } from './props.ts'

const PROBLEMS: Record<number, 'enrol_wrong' | 'enrol_slow'> = { 401: 'enrol_wrong', 429: 'enrol_slow' }

/** Makes this a print station, by the code of a device. `drop` forgets the code that the address held. */
export function EnrolView({ station, say, code, drop }: ViewProps & { code: string; drop: () => void }) {
  const own = station.station
  const hasEnded = own !== undefined && !own.token
  return (
    <main>
      <h1>{say(hasEnded ? 'ended_title' : 'enrol_title')}</h1>
      <p>{say(hasEnded ? 'ended_text' : 'enrol_text')}</p>
      <EnrolForm station={station} say={say} code={code} drop={drop} />
      {own?.token && (
        <button type="button" class="second" onClick={drop}>
          {say('back')}
        </button>
      )}
    </main>
  )
}

function EnrolForm({ station, say, code: given, drop }: ViewProps & { code: string; drop: () => void }) {
  const [code, setCode] = useState(given)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  // A second try after a lost answer gets the same token.
  const key = useMemo(() => crypto.randomUUID(), [code])
  const enrol = async () => {
    setBusy(true)
    setProblem('')
    try {
      await station.enrol(code.trim(), key)
      drop()
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error
      setProblem(say(PROBLEMS[error.status] ?? 'enrol_away'))
      setBusy(false)
    }
  }
  useEffect(() => {
    // A station stays what it is until someone confirms: anyone can make an address.
    if (given && !station.station?.token) void enrol()
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
