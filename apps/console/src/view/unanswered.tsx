import type { ConsoleSay } from '../texts/words.ts'

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
