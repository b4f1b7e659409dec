import { describe, expect, test } from 'vitest'
import { type KeyPress, TypedCode } from '../src/codes/typed-code.ts'

const CARD = 'MECARD:UID:ada1815;N:Lovelace,Ada;ORG:Analytical \\& Sons;EMAIL:ada_l@example.org;;'

/** The keys of a US keyboard, by code, plain and with Shift. */
const us: Record<string, string> = {
  ...Object.fromEntries(
    Array.from('abcdefghijklmnopqrstuvwxyz', (each) => [`Key${each.toUpperCase()}`, each + each.toUpperCase()]),
  ),
  ...Object.fromEntries(Array.from('1!2@3#4$5%6^7&8*9(0)'.match(/../g) ?? [], (each) => [`Digit${each[0]}`, each])),
  ...{ Minus: '-_', Equal: '=+', BracketLeft: '[{', BracketRight: ']}', Backslash: '\\|', Semicolon: ';:' },
  ...{ Quote: '\'"', Backquote: '`~', Comma: ',<', Period: '.>', Slash: '/?', Space: '  ' },
}
/** What hosts make of those keys where it differs, as `code=` with what it gives plain and with Shift. `☠` is a dead key. */
const layouts: Record<string, Record<string, string>> = {
  american: {},
  french: keysOf(
    'KeyQ=aA KeyW=zZ KeyA=qQ KeyZ=wW KeyM=,? Semicolon=mM Comma=;. Period=:/ Slash=!§ Minus=)° Quote=ù% Backslash=*µ',
    'BracketLeft=☠☠ BracketRight=$£',
    'Digit1=&1 Digit2=é2 Digit3="3 Digit4=\'4 Digit5=(5 Digit6=-6 Digit7=è7 Digit8=_8 Digit9=ç9 Digit0=à0',
  ),
  german: keysOf(
    'KeyY=zZ KeyZ=yY Semicolon=öÖ Quote=äÄ BracketLeft=üÜ BracketRight=+* Slash=-_ Minus=ß? Equal=☠☠ Backquote=☠°',
    'Backslash=#\' Comma=,; Period=.: Digit2=2" Digit3=3§ Digit6=6& Digit7=7/ Digit8=8( Digit9=9) Digit0=0=',
  ),
  italian: keysOf(
    "Semicolon=òç Quote=à° BracketLeft=èé BracketRight=+* Slash=-_ Minus='? Equal=ì^ Backquote=\\| Backslash=ù§",
    'Comma=,; Period=.: Digit2=2" Digit3=3£ Digit6=6& Digit7=7/ Digit8=8( Digit9=9) Digit0=0=',
  ),
}

function keysOf(...lines: string[]): Record<string, string> {
  return Object.fromEntries(lines.flatMap((line) => line.split(' ')).map((key) => key.split(/=(.*)/, 2)))
}

const positions = new Map<string, { code: string; shift: boolean }>(
  Object.entries(us).flatMap(([code, [plain = '', shifted = '']]) => [
    [shifted, { code, shift: true }],
    [plain, { code, shift: false }],
  ]),
)

type Unplaced = Omit<KeyPress, 'at'>

/** The keys by which a reader set to US types a text, as a host with this layout reports them. */
function typedBy(text: string, layout: string, capsLock = false): Unplaced[] {
  return Array.from(text).flatMap((letter): Unplaced[] => {
    const { code, shift } = positions.get(letter) ?? expect.fail(`no key for ${letter}`)
    const character = (layouts[layout]?.[code] ?? us[code] ?? '')[shift ? 1 : 0] ?? ''
    const key = capsLock ? inverted(character) : character
    const press = { key: key === '☠' ? 'Dead' : key, code, shift, capsLock }
    return shift ? [{ key: 'Shift', code: 'ShiftLeft', shift: true, capsLock }, press] : [press]
  })
}

/** As Caps Lock makes it; there is no capital ß on a keyboard. */
function inverted(character: string): string {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()]
  if (upper.length > 1) return character
  return character === upper ? lower : upper
}

const enter = { key: 'Enter', code: 'Enter' }
const suffixes: Record<string, Unplaced[]> = {
  none: [],
  Enter: [enter],
  'Enter of the number pad': [{ key: 'Enter', code: 'NumpadEnter' }],
  Tab: [{ key: 'Tab', code: 'Tab' }],
  'CR LF': [enter, enter],
  'Control and M': [{ key: 'm', code: 'KeyM', ctrl: true }],
}

/** Presses keys with a pause before each, and waits afterwards as long as the page would. Returns what was read, and what became of each key. */
function pressed(keys: Unplaced[], pauseMs = 10): { read: string[][]; reactions: string[] } {
  const typed = new TypedCode()
  const read: string[][] = []
  const reactions: string[] = []
  let at = 1_000
  const note = (reaction: ReturnType<TypedCode['press']>): void => {
    reactions.push(reaction.kind)
    if (reaction.kind === 'read') read.push(reaction.readings)
  }
  const wait = (ms: number): void => {
    const { patienceMs } = typed
    if (patienceMs !== undefined && patienceMs <= ms) note(typed.silence(at + patienceMs))
    at += ms
  }
  for (const key of keys) {
    wait(pauseMs)
    note(typed.press({ ...key, at }))
  }
  wait(10_000)
  return { read, reactions }
}

describe.each(Object.keys(layouts))('a MeCard on a host with the layout %s', (layout) => {
  test.each(Object.keys(suffixes))(
    'is read, whatever Caps Lock and pauses are, and its suffix presses no button: %s',
    (name) => {
      const suffix = suffixes[name] as Unplaced[]
      for (const capsLock of [false, true])
        for (const pauseMs of [0, 10, 250, 900]) {
          const { read, reactions } = pressed([...typedBy(CARD, layout, capsLock), ...suffix], pauseMs)
          expect(read, `${capsLock} ${pauseMs}`).toEqual([[CARD]])
          if (suffix.length > 0) expect(reactions.slice(-suffix.length)).not.toContain('ignored')
        }
    },
  )

  test('is read where the reader itself makes up for Caps Lock', () => {
    const card = Array.from(CARD, (each) => inverted(each)).join('')
    expect(pressed(typedBy(card, layout, true)).read).toEqual([[CARD]])
  })

  test('several, one after the other, are each read', () => {
    const both = [...typedBy(CARD, layout), enter, ...typedBy(CARD.replace('ada', 'bob'), layout), enter]
    expect(pressed(both).read).toEqual([[CARD], [CARD.replace('ada', 'bob')]])
  })

  test('an escaped semicolon before the last one does not end it', () => {
    const card = 'MECARD:UID:a\\;;N:b;;'
    expect(pressed(typedBy(card, layout)).read).toEqual([[card]])
  })

  test('a ciphered code is read', () => {
    const code = 'E:Zm9vYmFyYmF6cXV4Zm9vYmFyYg=='
    for (const suffix of Object.values(suffixes))
      expect(pressed([...typedBy(code, layout), ...suffix]).read).toEqual([[code]])
    expect(pressed([...typedBy(code, layout, true), enter]).read).toEqual([[code]])
  })

  test.each(Object.keys(suffixes))('a plain code has its text on a US keyboard among its readings: %s', (name) => {
    const suffix = suffixes[name] as Unplaced[]
    for (const capsLock of [false, true]) {
      const { read } = pressed([...typedBy('Zoe-42_y', layout, capsLock), ...suffix])
      expect(read).toHaveLength(1)
      expect(read[0]).toContain('Zoe-42_y')
      // What the host made of it comes first.
      expect(read[0]?.[0]).toBe(
        typedBy('Zoe-42_y', layout, capsLock)
          .filter(({ key }) => key !== 'Shift')
          .map(({ key }) => key)
          .join(''),
      )
    }
  })
})

test('a pause within a plain code does not lose its beginning', () => {
  const keys = typedBy('ada1815', 'american')
  expect(pressed([...keys, enter], 700).read).toEqual([['ada1815']])
})

describe('Alt codes', () => {
  const alt = (digits: string): Unplaced[] => [
    { key: 'Alt', code: 'AltLeft', alt: true },
    ...Array.from(digits, (digit) => ({ key: digit, code: `Numpad${digit}`, alt: true })),
    { key: 'Alt', code: 'AltLeft', isUp: true },
  ]
  const ofText = (text: string) => Array.from(text, (each) => alt(String(each.charCodeAt(0)))).flat()

  test.each(['', '\r', '\t'])('are characters, and suffixes: %j', (suffix) => {
    expect(pressed(ofText(CARD + suffix)).read).toEqual([[CARD]])
    expect(pressed(ofText(`ada1815${suffix}`)).read).toEqual([['ada1815']])
  })

  test('of letters beyond ASCII are those of windows-1252 with a leading zero, otherwise of code page 437', () => {
    const keys = [alt('0233'), alt('130'), alt('0128'), alt('225'), ...['a', 'b'].map((each) => ofText(each))].flat()
    expect(pressed([...keys, enter]).read).toEqual([['éé€ßab']])
  })
})

test('signs by AltGr and Option are characters', () => {
  const start = typedBy('ab', 'american')
  const windows = { key: '\\', code: 'Minus', ctrl: true, alt: true, altGraph: true }
  const mac = { key: '|', code: 'Digit7', alt: true }
  expect(pressed([...start, windows, mac, enter]).read).toEqual([expect.arrayContaining(['ab\\|'])])
})

describe('what is done by hand', () => {
  const press = (key: string, code = key): Unplaced => ({ key, code })

  test('letters without an end are no code, and keys that move the focus or press a button keep doing so', () => {
    const keys = [press('h', 'KeyH'), press('i', 'KeyI')]
    expect(pressed(keys, 400).read).toEqual([])
    for (const key of [press('Tab'), enter, press(' ', 'Space'), press('Escape'), press('ArrowDown')])
      expect(pressed([key]).reactions).toEqual(['ignored'])
  })

  test('a shortcut is no part of a code', () => {
    const keys = [...typedBy('ab', 'american'), { key: 'c', code: 'KeyC', ctrl: true }, enter]
    expect(pressed(keys).read).toEqual([])
  })

  test('what was begun long ago is no part of what a reader types', () => {
    const typed = new TypedCode()
    typed.press({ ...press('x', 'KeyX'), at: 0 })
    typed.silence(2_000)
    const reactions = typedBy(CARD, 'french').map((key, index) => typed.press({ ...key, at: 2_100 + index }))
    expect(reactions.at(-1)).toMatchObject({ readings: [CARD] })
  })
})
