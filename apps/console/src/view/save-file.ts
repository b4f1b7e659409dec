/** The type of a CSV file. */
export const CSV = 'text/csv;charset=utf-8'

/** Saves a file in the browser. */
export function saveFile(name: string, parts: readonly BlobPart[], type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([...parts], { type }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
