import { messageOf } from '../../declaring/messages.ts'
import { alphabets } from './alphabets.ts'
import { refusedFile } from './rows.ts'
import type { Slice } from './slices.ts'

/** How a text is written, and its language if that tells the encoding. */
export interface TextEncoding {
  encoding: string
  language?: string
}

/** What can be chosen in place of the guess, by names of the web, with languages for which it is used. */
const choices: Readonly<Record<string, readonly string[]>> = {
  'utf-8': [],
  'windows-1252': ['fr', 'de', 'es'],
  'windows-1250': ['pl', 'cs', 'hu'],
  'windows-1251': ['ru', 'uk', 'bg'],
  macintosh: ['fr', 'de', 'es'],
  shift_jis: ['ja'],
  gb18030: ['zh'],
  'utf-16le': [],
  'utf-16be': [],
  'iso-8859-2': ['pl', 'cs', 'hu'],
  'windows-1253': ['el'],
  'windows-1254': ['tr'],
  'windows-1255': ['he'],
  'windows-1256': ['ar'],
  'windows-1257': ['lt', 'lv', 'et'],
  'koi8-r': ['ru'],
  'euc-jp': ['ja'],
  'euc-kr': ['ko'],
  big5: ['zh'],
}

/** The encodings that can be chosen, each for people. */
export function encodingChoices(locale: string): [encoding: string, label: string][] {
  return Object.entries(choices).map(([encoding, languages]) => [encoding, labelOf(encoding, languages, locale)])
}

/** Whether an encoding can be chosen. */
export function isEncoding(name: string): boolean {
  return Object.hasOwn(choices, name)
}

/** An encoding for people: `Polish (windows-1250)`. */
export function encodingLabel({ encoding, language }: TextEncoding, locale: string): string {
  return labelOf(encoding, language ? [language] : [], locale)
}

function labelOf(encoding: string, languages: readonly string[], locale: string): string {
  const name = encoding.replace(/^utf/, 'UTF')
  if (languages.length === 0) return name
  const names = new Intl.DisplayNames([locale], { type: 'language' })
  return `${languages.map((language) => names.of(language)).join(', ')} (${name})`
}

/** Bytes with signs beyond ASCII that are looked at to guess an encoding. */
const SAMPLE = 8_192
/** What one vote of the library counts, beside some points for each letter. */
const VOTE = 0.15
/** What is usual where nothing else tells. */
const PRIOR: Record<string, number> = { 'windows-1252': 0.15 }
/** Encodings of so many languages that none says anything about them. */
const WESTERN = new Set(['windows-1252', 'macintosh'])
/** Names of the library for the same encodings. */
const VOTED: Record<string, string> = { 'ISO-8859-1': 'windows-1252', 'ISO-8859-2': 'windows-1250' }

/** Decodes a text piece by piece; without bytes, the rest of it. Throws for bytes that are invalid in the encoding. */
export function decoder(encoding: string): (bytes?: Uint8Array) => string {
  let reader: TextDecoder
  try {
    reader = new TextDecoder(encoding, { fatal: true })
  } catch {
    throw refusedFile(messageOf('unknown_encoding', { encoding }))
  }
  return (bytes) => {
    try {
      return reader.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw refusedFile(messageOf('wrong_encoding', { encoding }))
    }
  }
}

/** Finds out how a text is encoded, from pieces of it, in one pass. */
export class EncodingGuess {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })
  #isUtf8 = true
  #isFirst = true
  #marked: string | undefined
  readonly #sample: Uint8Array[] = []
  #sampled = 0

  /** Takes the next piece in. True if no further one is needed. */
  take(bytes: Uint8Array): boolean {
    if (this.#isFirst) this.#marked = unicodeOf(bytes)
    this.#isFirst = false
    if (this.#marked) return true
    if (this.#isUtf8) this.#check(bytes)
    if (this.#sampled < SAMPLE) this.#keep(bytes)
    return !this.#isUtf8 && this.#sampled >= SAMPLE
  }

  async result(slice: Slice): Promise<TextEncoding> {
    if (this.#marked) return { encoding: this.#marked }
    if (this.#isUtf8) this.#check()
    if (this.#isUtf8) return { encoding: 'utf-8' }
    const bytes = new Uint8Array(this.#sampled)
    let at = 0
    for (const part of this.#sample) {
      bytes.set(part, at)
      at += part.length
    }
    return guessOf(bytes, slice)
  }

  #check(bytes?: Uint8Array): void {
    try {
      this.#utf8.decode(bytes, { stream: bytes !== undefined })
    } catch {
      this.#isUtf8 = false
    }
  }

  /** Keeps the lines that have bytes beyond ASCII: those of others tell nothing. */
  #keep(bytes: Uint8Array): void {
    let from = 0
    let isTelling = false
    for (let at = 0; at <= bytes.length && this.#sampled < SAMPLE; at++) {
      const byte = bytes[at] ?? 10
      if (byte >= 0x80) isTelling = true
      if (byte !== 10 && byte !== 13) continue
      if (isTelling) {
        const line = bytes.subarray(from, Math.min(at + 1, from + SAMPLE - this.#sampled))
        this.#sample.push(line)
        this.#sampled += line.length
      }
      from = at + 1
      isTelling = false
    }
  }
}

/** UTF-16 by its byte order mark, or by the NULs that ASCII has in it. */
function unicodeOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const pairs = Math.min(bytes.length >> 1, 4_096)
  const nuls = [0, 0] as [number, number]
  for (let at = 0; at < pairs * 2; at++) if (bytes[at] === 0) nuls[at % 2 ? 1 : 0]++
  const [even, odd] = nuls
  if (odd > pairs * 0.1 && even * 8 < odd) return 'utf-16le'
  return even > pairs * 0.1 && odd * 8 < even ? 'utf-16be' : undefined
}

/** The most plausible of the encodings in which old spreadsheets save. */
async function guessOf(bytes: Uint8Array, slice: Slice): Promise<TextEncoding> {
  const { analyse } = await import('chardet')
  const votes = new Map<string, number>()
  for (const { name, confidence } of await slice(() => analyse(bytes))) {
    const encoding = VOTED[name] ?? name.toLowerCase()
    votes.set(encoding, Math.max(votes.get(encoding) ?? 0, confidence / 100))
  }
  let best: TextEncoding & { score: number } = { encoding: 'windows-1252', score: Number.NEGATIVE_INFINITY }
  for (const [encoding, languages] of Object.entries(alphabets)) {
    const text = decodedIn(encoding, bytes)
    if (text === undefined) continue
    const { score, language } = await slice(() => plausibility(text, languages))
    const prior = encoding === 'macintosh' && /\r(?!\n)/.test(text) ? 0.1 : (PRIOR[encoding] ?? 0)
    const total = score + VOTE * (votes.get(encoding) ?? 0) + prior
    if (total > best.score) best = { encoding, score: total, ...(language && !WESTERN.has(encoding) && { language }) }
  }
  const { score: _, ...found } = best
  return found
}

/** The sample may end, or miss its beginning, within a character: one at its end is left out. */
function decodedIn(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

const WORD = /[\p{Letter}\p{Mark}]+/gu
/** Signs that people type beside letters. */
const QUOTES = /[’‘“”„«»]/u
const USUAL = /[–—…·°€№、。・「」（）\u00a0\u3000]/u
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u
/** Half-width katakana, which other encodings look like. */
const ODD_JAPANESE = /[\uff61-\uff9f]/u

const LONE_CAPITAL = /^\p{Uppercase}$/u
/** Letters of Portuguese and French that stand before another one only; elsewhere they are Hungarian and Polish ones, misread. */
const MISREAD = /õ(?!e)|œ(?!u)/giu

/** How much a text looks like one, for each of its bytes beyond ASCII: 1 for usual letters, less for letters of several languages, below 0 for signs within words. */
function plausibility(text: string, languages: Readonly<Record<string, string>>): { score: number; language?: string } {
  let points = 0
  let count = 0
  const letters = new Map<string, number>()
  for (const [sign] of text.matchAll(/[^\p{ASCII}]/gu)) {
    if (IDEOGRAPH.test(sign)) {
      points += ODD_JAPANESE.test(sign) ? -1 : 2 * ideographPoints(sign)
      count += 2
      continue
    }
    count++
    if (/\p{Letter}/u.test(sign)) {
      const letter = sign.toLowerCase()
      letters.set(letter, (letters.get(letter) ?? 0) + 1)
    } else points += QUOTES.test(sign) ? 0.8 : USUAL.test(sign) ? 0.3 : -1
  }
  points += oddWords(text)
  let known = 0
  let language: string | undefined
  for (const [name, alphabet] of Object.entries(languages)) {
    let found = 0
    for (const [letter, times] of letters) if (alphabet.includes(letter)) found += times
    if (found <= known && language !== undefined) continue
    known = found
    language = name
  }
  const union = Object.values(languages).join('')
  for (const [letter, times] of letters) if (union.includes(letter)) points += times / 2
  points += known / 2
  return { score: points / Math.max(1, count), ...(language && { language }) }
}

/** Kana and the ideographs of the first level, which come first in each code, are usual. */
function ideographPoints(sign: string): number {
  return /[\p{Script=Hiragana}\p{Script=Katakana}ー々]/u.test(sign) ? 1 : 0.9
}

/** Points off for words as no language has them: several scripts, capitals after small letters, signs in the middle. */
function oddWords(text: string): number {
  let points = 0
  for (const [word] of text.matchAll(WORD)) {
    if (!/[^\p{ASCII}]/u.test(word)) continue
    const scripts = [/[a-zA-Z\u00c0-\u024f]/u, /\p{Script=Cyrillic}/u, IDEOGRAPH].filter((script) => script.test(word))
    points -= 2 * (scripts.length - 1)
    if (LONE_CAPITAL.test(word)) points--
    points -= 1.5 * (word.match(/\p{Lowercase}\p{Uppercase}/gu)?.length ?? 0)
    if (scripts.length === 1 && scripts[0] !== IDEOGRAPH && /[\u00c0-\u024f]{4}/u.test(word)) points -= 2
  }
  points -= text.match(MISREAD)?.length ?? 0
  points -= text.match(/\p{Letter}[^\p{ASCII}\p{Letter}\p{Mark}’‘·・‐‑–\u00a0]\p{Letter}/gu)?.length ?? 0
  return points
}
