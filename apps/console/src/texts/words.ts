import { type Say, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import type en from './languages/en.json'

/** The key of a text. */
export type TextKey = keyof typeof en
/** Says a text of the console, and whether there is one under a key. */
export type ConsoleSay = Say<TextKey> & { knows(key: string): key is TextKey }

/** Says the texts of a language, with numbers as a locale writes them. */
export function textsSpeakerOf(texts: Record<TextKey, string>, locale: string): ConsoleSay {
  // The first of a page takes an old laptop a tenth of a second, and few texts have a number.
  let numbers: Intl.NumberFormat | undefined
  const written = (value: number): string => {
    numbers ??= new Intl.NumberFormat(locale)
    return numbers.format(value)
  }
  const speak = speakerOf(texts)
  const say: Say<TextKey> = (key, places = {}) =>
    speak(
      key,
      Object.fromEntries(
        Object.entries(places).map(([name, value]) => [name, typeof value === 'number' ? written(value) : value]),
      ),
    )
  return Object.assign(say, { knows: (key: string): key is TextKey => Object.hasOwn(texts, key) })
}

/** The text under a key that is made at run time, such as the name of a field; the name itself where there is none. */
export function named(say: ConsoleSay, prefix: string, name: string): string {
  const key = `${prefix}_${name}`
  return say.knows(key) ? say(key) : name
}

/** What a field is called: by a title of its own, or as usual. */
export function titleOf(say: ConsoleSay, titles: Readonly<Partial<Record<string, TextKey>>>, name: string): string {
  const title = titles[name]
  return title ? say(title) : named(say, 'field', name)
}
