import { isolated } from './direction.ts'

/** The languages of all pages, by their tags (BCP 47). */
export const tags = ['en', 'fr', 'es', 'de', 'pt', 'it', 'nl', 'pl', 'sv', 'ja'] as const

/** The tag of a language of the pages. */
export type Language = (typeof tags)[number]

/** A text of pages by its key, with its `{places}` filled in. */
export type Say<Key extends string> = (key: Key, places?: Record<string, string | number>) => string

const DEFAULT: Language = 'en'
/** Languages that are read of an Accept-Language header; browsers send a few. */
const MOST = 20

/**
 * The language for a person: the first available one that a site asks for (`locale`, `ui_locales`: tags separated by spaces), else the
 * browser's preferred one, else `otherwise`, else English. The result never contains input.
 */
export function languageOf(
  asked: readonly (string | undefined)[],
  acceptLanguage: string | undefined,
  otherwise?: string | null,
): Language {
  const wishes = asked.flatMap((each) => each?.split(' ').slice(0, MOST) ?? [])
  return (
    firstSpoken(wishes) ?? firstSpoken(preferences(acceptLanguage ?? '')) ?? firstSpoken([otherwise ?? '']) ?? DEFAULT
  )
}

/**
 * The locale in which a language's dates and numbers are written: that of the region that the browser prefers for it, if there is one.
 * English is otherwise read all over the world: its dates have the month in words, and 24 hours.
 */
export function localeOf(language: string, preferred: readonly string[] = []): string {
  const regional = preferred.find((tag) => tag.toLowerCase().startsWith(`${language}-`))
  return regional ?? (language === 'en' ? 'en-GB' : language)
}

/** The texts of a place in all languages, each imported from its JSON file. */
export async function textsOf<Key extends string>(
  load: (tag: Language) => Promise<{ default: Record<Key, string> }>,
): Promise<Record<Language, Record<Key, string>>> {
  const loaded = await Promise.all(tags.map(async (tag) => [tag, (await load(tag)).default]))
  return Object.fromEntries(loaded)
}

/** Says the texts of one language. */
export function speakerOf<Key extends string>(texts: Record<Key, string>): Say<Key> {
  return (key, places = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (_, name: string) => isolated(String(places[name] ?? '')))
}

function firstSpoken(wishes: string[]): Language | undefined {
  for (const tag of wishes) {
    const primary = tag.trim().toLowerCase().split(/[-_]/, 1)[0] ?? ''
    if ((tags as readonly string[]).includes(primary)) return primary as Language
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
