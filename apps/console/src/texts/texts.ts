import { type Language, languageOf, localeOf, tags } from '@gatehouse/proto/pages/languages.ts'
import { type ConsoleSay, textsSpeakerOf } from './words.ts'

const CHOSEN = 'language'

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
  const say = await textsIn(language)
  document.documentElement.lang = language
  return say
}

/** The texts in a language that another one's page may need, such as that of an event. */
export async function textsIn(language: Language): Promise<ConsoleSay> {
  const { default: texts } = await import(`./languages/${language}.json`, { with: { type: 'json' } })
  return textsSpeakerOf(texts, localeOf(language, navigator.languages))
}
