import { de } from './de.ts'
import { en, type Texts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sv } from './sv.ts'

/** The languages of the pages, by their tag (BCP 47). */
export const languages = { en, fr, es, de, pt, it, nl, pl, sv, ja } satisfies Record<string, Texts>

/** The tag of a language of the pages. */
export type Language = keyof typeof languages

/** A text of the pages by its key, with its `{places}` filled in. */
export type Say = (key: keyof Texts, places?: Record<string, string | number>) => string

const DEFAULT: Language = 'en'
/** Languages which are read of an Accept-Language header; browsers send a few. */
const MOST = 20

/**
 * The language for a person: the first available one which a site asks for (`locale`, `ui_locales`: tags separated by spaces), else the
 * browser's preferred one, else `otherwise`, else English. The result never contains input.
 */
export function languageOf(
  asked: readonly (string | undefined)[],
  acceptLanguage: string | undefined,
  otherwise?: string | null,
): Language {
  const tags = asked.flatMap((each) => each?.split(' ').slice(0, MOST) ?? [])
  return (
    firstSpoken(tags) ?? firstSpoken(preferences(acceptLanguage ?? '')) ?? firstSpoken([otherwise ?? '']) ?? DEFAULT
  )
}

/** The texts of a language. */
export function speaker(language: Language): Say {
  const texts: Texts = languages[language]
  return (key, places = {}) => texts[key].replace(/\{(\w+)\}/g, (_, name: string) => String(places[name] ?? ''))
}

function firstSpoken(tags: string[]): Language | undefined {
  for (const tag of tags) {
    const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0] ?? ''
    if (Object.hasOwn(languages, primary)) return primary as Language
  }
  return undefined
}

/** The tags of an Accept-Language header, the preferred one first. */
function preferences(header: string): string[] {
  return header
    .split(',')
    .slice(0, MOST)
    .map((part) => {
      const [tag = '', ...words] = part.split(';')
      const weight = words.map((word) => /^\s*q=([\d.]{1,5})\s*$/.exec(word)?.[1]).find(Boolean)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}
