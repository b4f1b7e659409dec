import { beforeAll, expect, test, vi } from 'vitest'
import type { Signal } from '../scanning/outcome.ts'
import { give } from './signals.ts'

/** The compiler says if one is missing. */
const SIGNALS = Object.keys({
  granted: true,
  unconfirmed: true,
  unknown: true,
  not_authorized: true,
  too_many: true,
  undecided: true,
  problem: true,
  party: true,
} satisfies Record<Signal, true>) as Signal[]

/** Tones whose frequencies have at least this ratio, nearly a minor third, are heard as different ones. */
const APART = 1.18
/** In ms: a vibration up to the one is felt as short, and one from the other on as long. */
const SHORT = 150
const LONG = 300

/** The tones and the vibration that a signal asked of the browser. */
interface RecordedSignal {
  tones: Oscillator[]
  vibration: number[]
}

class Oscillator {
  frequency = { value: 0 }
  from = Number.NaN
  to = Number.NaN
  connect<Next>(next: Next): Next {
    return next
  }
  start(at: number): void {
    this.from = at
  }
  stop(at = 0): void {
    this.to = at
  }
}

let given: RecordedSignal

beforeAll(() => {
  const vibrate = (pattern: number[]) => {
    given.vibration = pattern
  }
  class Audio {
    currentTime = 0
    destination = {}
    async resume() {}
    createGain = () => ({ gain: { value: 0 }, connect() {} })
    createOscillator() {
      const tone = new Oscillator()
      given.tones.push(tone)
      return tone
    }
  }
  vi.stubGlobal('navigator', { vibrate })
  vi.stubGlobal('AudioContext', Audio)
})

/** The calls of the browser for each signal, before the next one silenced it. */
const allGiven = (): (RecordedSignal & { signal: Signal })[] =>
  SIGNALS.map((signal) => {
    given = { tones: [], vibration: [] }
    give(signal)
    return { signal, ...given, tones: given.tones.map((tone) => Object.assign(new Oscillator(), tone)) }
  })

test('no two signals begin with tones that sound alike, or end with such', () => {
  for (const place of [0, -1]) {
    const sorted = allGiven()
      .map(({ signal, tones }) => ({ signal, frequency: tones.at(place)?.frequency.value ?? Number.NaN }))
      .sort((a, b) => a.frequency - b.frequency)
    for (const [index, { signal, frequency }] of sorted.slice(1).entries())
      expect(frequency / (sorted[index]?.frequency ?? Number.NaN), signal).toBeGreaterThan(APART)
  }
})

test('no two signals have the same rhythm of short and long vibrations', () => {
  const rhythms = allGiven().map(({ vibration }) =>
    vibration.filter((_, index) => index % 2 === 0).map((ms) => (ms <= SHORT ? 'short' : ms >= LONG ? 'long' : ms)),
  )
  expect(rhythms.flat().filter((each) => typeof each === 'number')).toEqual([])
  expect(new Set(rhythms.map(String)).size).toBe(SIGNALS.length)
})

test('a signal is felt as it sounds: a vibration with each tone, a pause with each silence', () => {
  for (const { signal, tones, vibration } of allGiven()) {
    const starts = tones.map(({ from }) => from)
    const felt = vibration.map((_, index) => vibration.slice(0, index).reduce((sum, ms) => sum + ms, 0) / 1_000)
    expect(starts.length, signal).toBeGreaterThan(0)
    for (const [index, start] of starts.entries()) {
      expect(start).toBeCloseTo(felt[2 * index] ?? Number.NaN)
      expect(tones[index]?.to).toBeCloseTo(felt[2 * index + 1] ?? Number.NaN)
    }
  }
})

test('a signal silences the one before', () => {
  given = { tones: [], vibration: [] }
  give('unconfirmed')
  const before = given.tones
  expect(before.map(({ to }) => to > 0)).toEqual([true, true, true])
  given = { tones: [], vibration: [] }
  give('too_many')
  expect(before.map(({ to }) => to)).toEqual([0, 0, 0])
  expect(given.tones.map(({ to }) => to > 0)).toEqual([true, true, true])
})
