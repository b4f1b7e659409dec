import { visible } from '../../declaring/visible.ts'
import { type PersonName, splitName } from './names.ts'

/** A recipient as a line of text gives it. */
export interface AddressEntry extends PersonName {
  email: string
}

/** Signs that East Asian keyboards type, and those that mean the same. */
const WIDE: Readonly<Record<string, string>> = {
  '＠': '@',
  '．': '.',
  '，': ',',
  '、': ',',
  '；': ';',
  '：': ':',
  '／': '/',
  '｜': '|',
  '＜': '<',
  '＞': '>',
  '（': '(',
  '）': ')',
  '〈': '<',
  '〉': '>',
  '‹': '<',
  '›': '>',
}
const WIDE_SIGNS = new RegExp(`[${Object.keys(WIDE).join('')}]`, 'gu')
/** What an address is never made of. */
const AROUND = /[\s\u200b-\u200f\u2060\ufeff<>()[\]{}"“”„«»;,|/:•·‣▪●○]/u
/** What stands at the ends of an address that is quoted or ends a sentence. */
const ENDS = `'‘’\`´.*_~!?…=`
/** Words before an address that say what it is. */
const LABEL = /(?:mailto|smtp|e-?mail|mail):/giu
/** Signs between people on one line. */
const HARD = /[;|/\t\n•·‣▪●○]/u
const QUOTES = /["“”„«»<>[\]{}]/gu
const NUMBERING = /^\(?\d{1,5}[.):](?!\d)/
const BULLET = /^[\s\-–—*>#+o]+(?=\s)/

/** An address in a line, and where it stands. */
interface Place {
  email: string
  from: number
  to: number
}

/**
 * The recipients of a line: each address is one, alone or with a name (`Ada Lovelace <ada@example.org>`, `"Lovelace, Ada" <…>`, `Ada ada@…`,
 * `ada@… (Ada)`), whatever separates them. Labels (`To:`), bullets and numbers are left out. A line without an address is an entry of its own,
 * which is none.
 */
export function addressesOf(line: string): AddressEntry[] {
  return [...addressesIn(line)]
}

/** The same, one at a time: a line may have thousands. */
export function* addressesIn(line: string): Generator<AddressEntry> {
  const text = line.replace(WIDE_SIGNS, (sign) => WIDE[sign] as string)
  const places = placesOf(text)
  const [first] = places
  const last = places.at(-1)
  if (!first || !last) {
    const rest = nameIn(text)
    // A label alone (`To:`) is no entry.
    if (rest !== '' || !visible(text).endsWith(':')) yield { email: rest }
    return
  }
  // `ada@example.org Ada, bob@example.org Bob`: the names come behind.
  const isBehind = nameIn(text.slice(0, first.from)) === '' && nameIn(text.slice(last.to)) !== ''
  for (const [index, { email, from, to }] of places.entries()) {
    const before = text.slice(places[index - 1]?.to ?? 0, from)
    const behind = text.slice(to, places[index + 1]?.from ?? text.length)
    const comment = commentIn(behind)
    const name = isBehind
      ? nameIn(comment ?? behind)
      : quotedIn(before) || nameIn(withoutComment(before)) || nameIn(comment ?? '')
    yield { email, ...calledOf(splitName(name)) }
  }
}

/** A single word is what a recipient is called. */
function calledOf(name: PersonName): PersonName {
  return name.first_name === undefined && name.last_name !== undefined ? { first_name: name.last_name } : name
}

/** The addresses of a text in one pass: words with `@`. The name of an address that is the address itself is none of its own. */
function placesOf(text: string): Place[] {
  const places: Place[] = []
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !AROUND.test(text[at] as string)) continue
    if (at > from) {
      const place = placeOf(text.slice(from, at), from, at)
      const before = places.at(-1)
      const isNamed =
        place && before && place.email.toLowerCase() === before.email.toLowerCase() && text[from - 1] === '<'
      if (isNamed) places.pop()
      if (place) places.push(isNamed ? { ...place, from: before.from } : place)
    }
    from = at + 1
  }
  return places
}

function placeOf(word: string, from: number, to: number): Place | undefined {
  if (!word.includes('@')) return undefined
  const query = word.indexOf('?')
  let begin = 0
  let end = query > 0 ? query : word.length
  while (begin < end && ENDS.includes(word[begin] as string)) begin++
  while (end > begin && ENDS.includes(word[end - 1] as string)) end--
  return { email: word.slice(begin, end), from, to }
}

/** The text in the parentheses with which what follows an address begins. */
function commentIn(behind: string): string | undefined {
  const open = behind.indexOf('(')
  const close = behind.indexOf(')', open)
  return open >= 0 && close > open && visible(behind.slice(0, open).replace(QUOTES, '')) === ''
    ? behind.slice(open + 1, close)
    : undefined
}

function withoutComment(before: string): string {
  return commentIn(before) === undefined ? before : before.slice(before.indexOf(')') + 1)
}

/** The name in quotes just before `<`, with nothing but separators before it: signs in quotes are part of it. */
function quotedIn(before: string): string | undefined {
  const text = before.trimEnd()
  const quoted = text.endsWith('<') ? text.slice(0, -1).trimEnd() : ''
  const open = quoted.endsWith('"') ? quoted.lastIndexOf('"', quoted.length - 2) : -1
  if (open < 0 || nameIn(quoted.slice(0, open)) !== '') return undefined
  return bare(quoted.slice(open + 1, -1))
}

/** The name in a text around an address, without what belongs to no name. */
function nameIn(around: string): string {
  if (!/\p{Letter}/u.test(around)) return ''
  const unlabelled = around.replace(LABEL, ' ')
  const text = unlabelled.slice(unlabelled.lastIndexOf(':') + 1).replace(QUOTES, ' ')
  const parts = text
    .split(HARD)
    .map(bare)
    .filter((part) => part !== '')
  return parts.join(' ')
}

/** A part of a name without bullet, number and the signs around it. */
function bare(part: string): string {
  const text = visible(visible(part).replace(BULLET, '')).replace(NUMBERING, '')
  let begin = 0
  let end = text.length
  const isOutside = (sign: string | undefined): boolean =>
    sign !== undefined && (visible(sign) === '' || `,()'‘’\`´*-–—.`.includes(sign))
  while (begin < end && isOutside(text[begin])) begin++
  while (end > begin && isOutside(text[end - 1]) && !(text[end - 1] === '.' && /\p{Letter}/u.test(text[end - 2] ?? '')))
    end--
  const name = text.slice(begin, end)
  return /\p{Letter}/u.test(name) ? name : ''
}
