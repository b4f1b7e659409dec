import { useState } from 'preact/hooks'
import { lastAccount, signIn } from '../session/session.ts'
import type { ConsoleSay } from '../texts/words.ts'

/** What is shown to who is not signed in: the way to the sign-in page of an account. */
export function SignIn({ say }: { say: ConsoleSay }) {
  const [account, setAccount] = useState(lastAccount)
  return (
    <main class="alone">
      <h1>{say('sign_in_title')}</h1>
      <p>{say('sign_in_text')}</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          signIn(account.trim())
        }}
      >
        <div class="field">
          <label for="account">{say('account')}</label>
          <input
            id="account"
            required
            value={account}
            autocomplete="organization"
            autocapitalize="off"
            spellcheck={false}
            aria-describedby="account-hint"
            onInput={({ currentTarget }) => setAccount(currentTarget.value)}
          />
          <small id="account-hint" class="hint">
            {say('account_hint')}
          </small>
        </div>
        <button type="submit">{say('sign_in')}</button>
      </form>
    </main>
  )
}
