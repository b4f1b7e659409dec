import { useState } from 'preact/hooks'

interface Props {
  label: string
  button: string
  found: (content: string) => void
  /** Called while something is typed. */
  typing?: () => void
}

/** Where a code is typed, by hand or by a scanner that types. */
export function CodeForm({ label, button, found, typing }: Props) {
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
      <label for="content">{label}</label>
      <input
        id="content"
        value={content}
        onInput={({ currentTarget }) => {
          setContent(currentTarget.value)
          typing?.()
        }}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
      <button type="submit">{button}</button>
    </form>
  )
}
