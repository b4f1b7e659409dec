import { type Language, type Say, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import type { PageLook } from '@gatehouse/proto/pages/layout.ts'
import { de } from './de.ts'
import { en, type PartnerPageTexts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'

/** The texts of the pages in each language. */
export const languages: Record<Language, PartnerPageTexts> = { en, fr, es, de, pt, it, nl, pl, sv, ja }

/** The organizer and language of the pages of partners. */
export type PartnerPageLook = PageLook<keyof PartnerPageTexts>

/** The texts of a language. */
export function speaker(language: Language): Say<keyof PartnerPageTexts> {
  return speakerOf(languages[language])
}
