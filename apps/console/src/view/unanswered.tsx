import type { ConsoleSay } from '../texts/words.ts'

/** What is shown at the start while the server takes its time. */
export function Awaited({ say }: { say: ConsoleSay }) {
  return (
    <main class="alone">
      <p class="quiet" role="status">
        {say('opening')}
      </p>
    </main>
  )
}

/** What is shown where the server does not answer at the start. */
export function Unanswered({ say, retry }: { say: ConsoleSay; retry: () => void }) {
  return (
    <main class="alone">
      <p class="notice bad" role="alert">
        {say('no_answer')}
      </p>
      <button type="button" onClick={retry}>
        {say('try_again')}
      </button>
    </main>
  )
}
