import { type Language, languageOf, type Say, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { en, type ScannerTexts } from './en.ts'

/** Says a text of the scanner. */
export type ScannerSay = Say<keyof ScannerTexts>

/** The texts in each language, loaded only where it is spoken. */
const languages: Record<Language, () => ScannerTexts | Promise<ScannerTexts>> = {
  en: () => en,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  de: async () => (await import('./de.ts')).de,
  pt: async () => (await import('./pt.ts')).pt,
  it: async () => (await import('./it.ts')).it,
  nl: async () => (await import('./nl.ts')).nl,
  pl: async () => (await import('./pl.ts')).pl,
  sv: async () => (await import('./sv.ts')).sv,
  ja: async () => (await import('./ja.ts')).ja,
}

/** The texts in the language of the browser, which the page has from then on. */
export async function loadTexts(): Promise<ScannerSay> {
  const language = languageOf([], navigator.languages.join(','))
  const texts = await languages[language]()
  document.documentElement.lang = language
  return speakerOf(texts)
}
