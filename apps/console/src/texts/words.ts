import type { Say } from '@gatehouse/proto/pages/languages.ts'
import type { Texts } from './en.ts'

/** The key of a text. */
export type TextKey = keyof Texts
/** Says a text of the console. */
export type SayText = Say<TextKey>

let known: object = {}

/** Says which texts there are. */
export function knowTexts(texts: Texts): void {
  known = texts
}

/** The text under a key which is made at run time, such as the name of a field; the name itself where there is none. */
export function named(say: SayText, prefix: string, name: string): string {
  const key = `${prefix}_${name}`
  return key in known ? say(key as TextKey) : name
}
