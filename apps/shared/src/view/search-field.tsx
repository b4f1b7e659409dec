import { useEffect, useRef } from 'preact/hooks'

interface Props {
  label: string
  words: string
  setWords: (words: string) => void
  /** Whether whoever opens the page wants to type at once. */
  isFirst?: boolean
}

/** A field whose words find some of a list while they are typed. */
export function SearchField({ label, words, setWords, isFirst = false }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFirst) field.current?.focus()
  }, [])
  return (
    <div class="field">
      <label for="words">{label}</label>
      <input
        ref={field}
        id="words"
        type="search"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
        autocomplete="off"
        spellcheck={false}
      />
    </div>
  )
}
