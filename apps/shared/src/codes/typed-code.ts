import { visible } from '@gatehouse/proto/declaring/visible.ts'
import { MECARD } from './code.ts'

/*
 * What readers type, told from recorded keys alone. A reader sends the positions of keys of a US keyboard, which the host takes for those of its own
 * layout: a French host makes other letters of them, and Caps Lock turns their case around.
 */

/** A key that was pressed, or released. */
export interface KeyPress {
  /** What the host's layout makes of it: a character, or the name of a key. */
  key: string
  /** The position of the key on a US keyboard. Empty if the host does not say. */
  code: string
  shift?: boolean
  ctrl?: boolean
  alt?: boolean
  altGraph?: boolean
  meta?: boolean
  capsLock?: boolean
  isUp?: boolean
  /** In ms. */
  at: number
}

/** One character as the layout gives it and as it is on a US keyboard. */
interface Letter {
  typed: string
  us: string | undefined
  capsLock: boolean
  at: number
}

/** What a key does: nothing to a code, be a part of one, or complete it. `readings` are the texts that it may be, the likeliest first. */
export type Reaction = { kind: 'ignored' } | { kind: 'taken' } | { kind: 'read'; readings: string[]; typed: string }

const IGNORED: Reaction = { kind: 'ignored' }
const TAKEN: Reaction = { kind: 'taken' }

/** Nobody types this many characters with pauses this short. */
const FAST_MS = 150
const FAST_LETTERS = 4
/** A code without a suffix ends when nothing follows for so long. */
const SILENCE_MS = 800
/** What was begun by hand, and a MeCard that does not end, are given up after these pauses. */
const FORGOTTEN_MS = 2_000
const CARD_MS = 3_000
/** A suffix after the end of a MeCard, and the second one of CR LF, come within this time, or twice the reader's own pauses: they press no button. */
const SUFFIX_MS = 500
const FEWEST = 2

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock', 'NumLock', 'Meta', 'Fn'])
/** Keys of which the layout makes a character with the next one, or leaves that to others. */
const UNRESOLVED = new Set(['Dead', 'Process', 'Unidentified'])
/** A ciphered code: `E:` and the base 64 of whole blocks. */
const CIPHER = /^E:(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const US: Record<string, string> = {
  Backquote: '`~',
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  IntlBackslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Space: '  ',
  NumpadAdd: '++',
  NumpadSubtract: '--',
  NumpadMultiply: '**',
  NumpadDivide: '//',
  NumpadDecimal: '..',
}
const SHIFTED_DIGITS = ')!@#$%^&*('
/** Code page 437 from 128 on, in which Windows reads Alt codes without a leading zero. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** Collects what a reader types. */
export class TypedCode {
  #letters: Letter[] = []
  /** The digits of a character that is typed as its number while Alt is held. */
  #altDigits = ''
  /** Until when a suffix belongs to the last code. */
  #suffixUntil = Number.NEGATIVE_INFINITY

  /** Takes a key. */
  press(press: KeyPress): Reaction {
    const { key, code, ctrl, alt, altGraph, meta, at } = press
    if (press.isUp) return this.#release(press)
    const digit = alt && !altGraph ? /^Numpad(\d)$/.exec(code)?.[1] : undefined
    if (digit !== undefined) {
      this.#altDigits += digit
      return TAKEN
    }
    if (MODIFIERS.has(key)) return IGNORED
    if (isSuffix(press)) return this.#end(at)
    const isCharacter = [...key].length === 1 && !meta && (!ctrl || alt || altGraph)
    const us = ctrl && !altGraph && !alt ? undefined : usOf(press)
    if (!isCharacter && !(UNRESOLVED.has(key) && us !== undefined)) {
      this.#letters = []
      return IGNORED
    }
    // A blank begins no code: it presses the button that has the focus.
    if (key === ' ' && this.#letters.length === 0) return IGNORED
    return this.#add({ typed: isCharacter ? key : '', us, capsLock: press.capsLock ?? false, at })
  }

  /** After how many ms without a key {@link silence} is to be called; undefined if nothing was typed. */
  get patienceMs(): number | undefined {
    if (this.#letters.length === 0) return undefined
    if (this.#isCard()) return CARD_MS
    return isFast(this.#letters) ? SILENCE_MS : FORGOTTEN_MS
  }

  /** Nothing has followed for a while: what a reader typed ends there, and anything else is forgotten. */
  silence(at: number): Reaction {
    if (this.#isCard() || isFast(this.#letters)) return this.#end(at)
    this.#letters = []
    return IGNORED
  }

  #isCard(): boolean {
    return readingsOf(this.#letters)[0]?.startsWith(MECARD) ?? false
  }

  #release({ key, at }: KeyPress): Reaction {
    const digits = this.#altDigits
    if (key !== 'Alt' || digits === '') return IGNORED
    this.#altDigits = ''
    const character = characterOf(digits)
    // Some readers type their suffix in this way too.
    if (character === '\r' || character === '\n' || character === '\t') return this.#end(at)
    return this.#add({ typed: character, us: character, capsLock: false, at })
  }

  #add(letter: Letter): Reaction {
    this.#letters.push(letter)
    const [reading = ''] = readingsOf(this.#letters)
    return reading.startsWith(MECARD) && isComplete(reading) ? this.#end(letter.at) : TAKEN
  }

  #end(at: number): Reaction {
    const letters = this.#letters
    this.#letters = []
    if (letters.length < FEWEST) return at < this.#suffixUntil ? TAKEN : IGNORED
    this.#suffixUntil = at + Math.max(SUFFIX_MS, 2 * longestPause(letters))
    return { kind: 'read', readings: readingsOf(letters), typed: typedOf(letters) }
  }
}

/** The texts that these characters may be, the likeliest first: one alone if it is a MeCard or a ciphered code. */
function readingsOf(letters: readonly Letter[]): string[] {
  const typed = typedOf(letters)
  const us = letters.every((letter) => letter.us !== undefined) ? letters.map((letter) => letter.us).join('') : typed
  const inverted = [typed, us].map(invertedCase)
  const all = [typed, us, ...inverted]
  const sure = all.find((text) => text.startsWith(MECARD)) ?? all.find((text) => CIPHER.test(text))
  if (sure !== undefined) return [sure]
  // Only what was meant in another case: the uids of two guests may differ in nothing else.
  const isCapsLocked = letters.some(({ capsLock }) => capsLock)
  return [...new Set([typed, us, ...(isCapsLocked ? inverted : [])].filter((text) => visible(text) !== ''))]
}

function typedOf(letters: readonly Letter[]): string {
  return letters.map(({ typed }) => typed).join('')
}

function isFast(letters: readonly Letter[]): boolean {
  return letters.length >= FAST_LETTERS && longestPause(letters) <= FAST_MS
}

function longestPause(letters: readonly Letter[]): number {
  return Math.max(...letters.slice(1).map(({ at }, index) => at - (letters[index] as Letter).at))
}

/** Whether a MeCard has come to its end, two semicolons of which the first is not escaped. */
function isComplete(card: string): boolean {
  const [backslashes = ''] = /\\*(?=;;$)/.exec(card) ?? []
  return card.endsWith(';;') && backslashes.length % 2 === 0
}

/** Enter, of the number pad too, Tab, and the control characters for a new line. */
function isSuffix({ key, code, ctrl, alt }: KeyPress): boolean {
  return key === 'Enter' || key === 'Tab' || (ctrl === true && !alt && (code === 'KeyJ' || code === 'KeyM'))
}

/** The character of a key on a US keyboard; undefined if it has none there. */
function usOf({ code, shift = false }: KeyPress): string | undefined {
  const [, kind, name = ''] = /^(Key|Digit|Numpad)([A-Z0-9])$/.exec(code) ?? []
  if (kind === 'Key') return shift ? name : name.toLowerCase()
  if (kind === 'Digit') return shift ? SHIFTED_DIGITS[Number(name)] : name
  if (kind === 'Numpad') return name
  return US[code]?.[shift ? 1 : 0]
}

function invertedCase(text: string): string {
  return text.replace(/\p{L}/gu, (letter) => {
    const upper = letter.toUpperCase()
    return letter === upper ? letter.toLowerCase() : upper
  })
}

/** The character of an Alt code: of windows-1252 with a leading zero, otherwise of code page 437. */
function characterOf(digits: string): string {
  const number = Number(digits) % 256
  if (number < 128) return String.fromCharCode(number)
  if (digits.startsWith('0')) return new TextDecoder('windows-1252').decode(new Uint8Array([number]))
  return CP437[number - 128] ?? ''
}
