interface Props {
  name: string
  /** Its media type. */
  type?: string
  text: () => string | Promise<string>
  words: string
  /** What distinguishes this file from others. */
  more?: string
}

/** Saves a text as a file: by default the body of a batch, for an organizer to send. */
export function SaveFile({ name, type = 'application/json', text, words, more }: Props) {
  const save = async () => {
    const file = new Blob([await text()], { type })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = name
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <button type="button" class="second" onClick={() => void save()}>
      {words}
      {more && <small> {more}</small>}
    </button>
  )
}
