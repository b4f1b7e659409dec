import type { Say } from '@gatehouse/proto/pages/languages.ts'
import { en, type Texts } from './en.ts'

/** The key of a text. */
export type TextKey = keyof Texts
/** Says a text of the console. */
export type SayText = Say<TextKey>

/** The text under a key which is made at run time, such as the name of a field; the name itself where there is none. */
export function named(say: SayText, prefix: string, name: string): string {
  const key = `${prefix}_${name}`
  return key in en ? say(key as TextKey) : name
}
