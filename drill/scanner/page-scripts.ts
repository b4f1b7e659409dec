/** A script that types a uid as a scanner does, whose keys follow each other at once however busy the machine is. */
export function typing(uid: string): string {
  return `for (const key of ${JSON.stringify([...uid, 'Enter'])}) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true })
    globalThis.typedAt ??= event.timeStamp
    Object.defineProperty(event, 'timeStamp', { value: globalThis.typedAt })
    document.body.dispatchEvent(event)
  }
  globalThis.typedAt = undefined`
}

/**
 * A script that presses the first enabled button that a selector finds, of those with these words if they are given. It gives the words of the
 * button at that moment, or null without one.
 */
export function pressing(selector: string, words?: string): string {
  return `(() => {
    const all = [...document.querySelectorAll(${JSON.stringify(selector)})].filter(({ disabled }) => !disabled)
    const button = all.find(({ textContent }) => ${words === undefined} || textContent === ${JSON.stringify(words ?? '')})
    button?.click()
    return button?.textContent ?? null
  })()`
}

/** A script that counts the snapshots on a phone. */
export const COUNT_SNAPSHOTS = `new Promise((resolve) => {
  indexedDB.open('gatehouse-scanner').onsuccess = ({ target: { result } }) => {
    const counting = result.transaction('snapshot').objectStore('snapshot').count()
    counting.onsuccess = () => {
      result.close()
      resolve(counting.result)
    }
  }
})`
