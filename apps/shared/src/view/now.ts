import { localeOf } from '@gatehouse/proto/pages/languages.ts'
import { useEffect, useState } from 'preact/hooks'

const EVERY_MS = 5_000

/** Draws a view again from time to time, so that ages are those of now. */
export function useAges(): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
}

/** The language of the page. */
export function pageLanguage(): string {
  return document.documentElement.lang
}

/** The locale in which the page writes numbers and times. */
export function pageLocale(): string {
  return localeOf(pageLanguage(), navigator.languages)
}
