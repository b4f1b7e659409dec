/** Scanners which type leave no longer pause between two characters. */
const LONGEST_PAUSE_MS = 200

/** Calls `found` with what a scanner types, wherever the focus is except in a field, which gets it itself. Gives what ends that. */
export function listenToKeys(found: (content: string) => void): () => void {
  let typed = ''
  let last = 0
  const listen = (event: KeyboardEvent): void => {
    const { key, target, timeStamp, ctrlKey, metaKey, altKey } = event
    if (target instanceof HTMLInputElement || ctrlKey || metaKey || altKey) return
    if (timeStamp - last > LONGEST_PAUSE_MS) typed = ''
    last = timeStamp
    if (key.length === 1) typed += key
    else if (key === 'Enter' && typed.length > 1) {
      // Otherwise Enter would press the button which has the focus.
      event.preventDefault()
      found(typed)
      typed = ''
    }
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}
