/** Saves the body of a batch as a file, for an organizer to send. */
export function SaveFile({ name, body, words }: { name: string; body: () => Promise<object>; words: string }) {
  const save = async () => {
    const file = new Blob([JSON.stringify(await body(), null, 2)], { type: 'application/json' })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = name
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <button type="button" class="second" onClick={() => void save()}>
      {words}
    </button>
  )
}
