import type { Page } from 'playwright-core'

/** Presses the keys of `text` where the focus is, which fill a field unless the page takes them. */
const TYPE = `(text) => {
  const target = document.activeElement ?? document.body
  for (const letter of text) {
    const key = letter === '\\n' ? 'Enter' : letter
    const isLeft = target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    if (isLeft && key === letter && 'value' in target) {
      target.value += key
      target.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
}`

/**
 * Types a text as a hand-held reader does; a line feed is its Enter. All keys come at once: pages know a reader by its speed, which keys that a test
 * sends one by one lack on a busy machine.
 */
export async function typeAsReader(page: Page, text: string): Promise<void> {
  await page.evaluate(`(${TYPE})(${JSON.stringify(text)})`)
}
