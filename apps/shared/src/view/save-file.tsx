interface Props {
  name: string
  text: () => string | Promise<string>
  words: string
  /** What distinguishes this file from others. */
  more?: string
}

/** Saves the body of a batch as a file, for an organizer to send. */
export function SaveFile({ name, text, words, more }: Props) {
  const save = async () => {
    const file = new Blob([await text()], { type: 'application/json' })
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
