/** How long a browser may take to tell that it has given a page to the printer. A dialog that nobody answers takes as long as it is open. */
const SILENCE_MS = 20_000

/** Has the page printed, on which only the badge is visible in print. Rejects if the browser does not print. */
export async function printPage(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const end = new AbortController()
  addEventListener('afterprint', () => resolve(), { signal: end.signal })
  const timer = setTimeout(() => reject(new Error('The browser does not print')), SILENCE_MS)
  try {
    window.print()
    await promise
  } finally {
    clearTimeout(timer)
    end.abort()
  }
}
