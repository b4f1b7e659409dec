import { type Language, languageOf, tags } from '@gatehouse/proto/pages/languages.ts'
import type { ConsoleTexts } from './en.ts'
import { type ConsoleSay, textsSpeakerOf } from './words.ts'

const CHOSEN = 'language'

/** The texts in each language, loaded only where it is spoken. */
const languages: Record<Language, () => Promise<ConsoleTexts>> = {
  en: async () => (await import('./en.ts')).en,
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

/** The names of the languages, each in itself. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  fr: 'Français',
  es: 'Español',
  de: 'Deutsch',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  sv: 'Svenska',
  ja: '日本語',
}

/** The language that was chosen here, else that of the browser. */
export function chosenLanguage(): Language {
  return languageOf([localStorage.getItem(CHOSEN) ?? undefined], navigator.languages.join(','))
}

/** Keeps the choice of a language. */
export function chooseLanguage(tag: string): void {
  if ((tags as readonly string[]).includes(tag)) localStorage.setItem(CHOSEN, tag)
}

/** The texts in a language, which the page has from then on. */
export async function loadTexts(language: Language): Promise<ConsoleSay> {
  const texts = await languages[language]()
  document.documentElement.lang = language
  return textsSpeakerOf(texts)
}
