import { expect, test } from 'vitest'
import { timeIn } from '../src/texts/times.ts'
import { textsSpeakerOf } from '../src/texts/words.ts'

const texts = { count: '{count} in total' } as Parameters<typeof textsSpeakerOf>[0]

test('a time at Greenwich is named without its distance to itself', () => {
  const winter = '2026-12-01T01:30:00Z'
  expect(timeIn('de', winter, 'Europe/London')).toBe('1.\u00a0Dez.\u00a02026, 01:30\u00a0GMT')
  expect(timeIn('fr', winter, 'Europe/London')).toBe('1\u00a0déc.\u00a02026, 01:30\u00a0UTC')
  expect(timeIn('de', winter, 'Asia/Kolkata')).toBe('1.\u00a0Dez.\u00a02026, 07:00\u00a0GMT+5:30')
})

test('a time has one form, with a zone where it may be another than the reader’s, and ends a line between day and time alone', () => {
  const winter = '2026-12-01T01:30:00Z'
  const [zoned, own] = [timeIn('de', winter, 'UTC'), timeIn('de', winter)]
  expect(zoned).toBe('1.\u00a0Dez.\u00a02026, 01:30\u00a0UTC')
  expect(own).toMatch(/^\d{1,2}\.\u00a0(Nov|Dez)\.\u00a02026, \d{2}:\d{2}$/)
})

test('numbers in texts are written as the locale writes them, and other words as they are', () => {
  expect(textsSpeakerOf(texts, 'en-GB')('count', { count: 10_000 })).toBe('10,000 in total')
  expect(textsSpeakerOf(texts, 'de')('count', { count: 10_000 })).toBe('10.000 in total')
  expect(textsSpeakerOf(texts, 'de')('count', { count: '1000' })).toBe('1000 in total')
})
