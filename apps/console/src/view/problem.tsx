import { fieldErrorWords } from '../form/error-words.ts'
import type { GatehouseError } from '../server/server.ts'
import { signInAddress } from '../session/session.ts'
import type { ConsoleSay } from '../texts/words.ts'
import { useConsole } from './console.ts'

/** Why a request was refused, and what can be done. What was typed stays where it is. */
export function Problem({ error, retry }: { error: GatehouseError; retry?: () => void }) {
  const { say, session } = useConsole()
  return (
    <div class="notice bad" role="alert">
      <p>{wordsOf(error, say)}</p>
      {error.status === 401 && (
        <a class="button" href={signInAddress(session.account)} target="_blank" rel="noopener">
          {say('sign_in_again')}
        </a>
      )}
      {retry && error.status !== 403 && error.status !== 404 && (
        <button type="button" class="second" onClick={retry}>
          {say('try_again')}
        </button>
      )}
    </div>
  )
}

/** A refusal in words. */
function wordsOf(error: GatehouseError, say: ConsoleSay): string {
  if (error.status === 401) return say('session_over')
  if (error.status === 403) return say('forbidden')
  if (error.status === 404 && !error.reason) return say('not_found')
  if (error.status === 413) return say('too_large')
  if (error.status === 429 || error.status === 503) return say('busy')
  if (error.status === 0 || error.status >= 500) return say('no_answer')
  const problem = fieldErrorWords(say, error)
  // What is wrong with a field, or known by its code, says enough.
  const isNamed = Object.keys(error.errors).length > 0 || say.knows(`error_${error.reason?.code}`)
  return isNamed ? problem : say('failed', { problem })
}
