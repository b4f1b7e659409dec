import type { Language } from '@gatehouse/proto/pages/languages.ts'

/** English without a region says days before months, and hours from 0 to 23. */
const OTHERWISE: Partial<Record<Language, string>> = { en: 'en-GB' }

/** How numbers and times are written in a language: as in the region that the browser prefers for it. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  const regional = preferred.find((tag) => tag.toLowerCase().startsWith(`${language}-`))
  return regional ?? OTHERWISE[language] ?? language
}
