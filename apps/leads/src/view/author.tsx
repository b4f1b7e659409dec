import { useState } from 'preact/hooks'
import type { ViewProps } from './props.ts'

/** Where whoever scans says who that is: the stand sees it at each lead. */
export function AuthorView({ leads, say, close }: ViewProps & { close?: () => void }) {
  const [author, setAuthor] = useState(leads.stand?.author ?? '')
  return (
    <main>
      <h1>{say('author_title')}</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (author.trim() === '') return
          void leads.setAuthor(author.trim()).then(close)
        }}
      >
        <label for="author">{say('author')}</label>
        <input
          id="author"
          value={author}
          onInput={({ currentTarget }) => setAuthor(currentTarget.value)}
          autocomplete="name"
          maxLength={100}
          required
          aria-describedby="author-hint"
        />
        <p id="author-hint" class="hint">
          {say('author_text')}
        </p>
        <button type="submit">{say('author_done')}</button>
      </form>
      {close && (
        <button type="button" class="second" onClick={close}>
          {say('back')}
        </button>
      )}
    </main>
  )
}
