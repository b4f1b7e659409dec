import { type Language, languageOf, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import type { PageBranding } from '@gatehouse/proto/pages/layout.ts'
import type { EventTerms } from '../event-terms.ts'

type Texts<Key extends string> = Record<Language, Record<Key, string>>

/** Returns organizer, colour and language of an event's pages. */
export function pageContextOf<Key extends string>(
  { organizer, title, colour, logo }: EventTerms,
  language: Language,
  texts: Texts<Key>,
): PageBranding<Key> {
  return { name: organizer || title, colour, logo, language, say: speakerOf(texts[language]) } as PageBranding<Key>
}

/** Returns the context of pages that belong to no event. */
export function neutralContext<Key extends string>(
  asked: readonly (string | undefined)[],
  acceptLanguage: string | undefined,
  texts: Texts<Key>,
): PageBranding<Key> {
  const language = languageOf(asked, acceptLanguage)
  return { name: 'Gatehouse', colour: null, language, say: speakerOf(texts[language]) } as PageBranding<Key>
}
