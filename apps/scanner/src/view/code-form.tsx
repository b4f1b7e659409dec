import { useState } from 'preact/hooks'
import type { ScannerSay } from '../texts/say.ts'

/** Where a code is typed, by hand or by a scanner that types. */
export function CodeForm({ say, found }: { say: ScannerSay; found: (content: string) => void }) {
  const [content, setContent] = useState('')
  return (
    <form
      class="line"
      onSubmit={(event) => {
        event.preventDefault()
        if (content.trim() !== '') found(content)
        setContent('')
      }}
    >
      <label for="content">{say('type_code')}</label>
      <input
        id="content"
        value={content}
        onInput={({ currentTarget }) => setContent(currentTarget.value)}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
      <button type="submit">{say('check_in')}</button>
    </form>
  )
}
