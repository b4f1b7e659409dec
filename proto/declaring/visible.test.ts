import { describe, expect, test } from 'vitest'
import { possibleUids, uidOf, visible } from './visible.ts'

describe('what nobody sees is taken off both ends of a text, and of no other place', () => {
  test.each([
    ['cr0001', 'cr0001'],
    ['cr0001\r\n', 'cr0001'],
    ['\ufeffcr0001', 'cr0001'],
    ['\u00a0\u200b\u200c\u200d\u200e\u200f\u2060 cr0001\t\0', 'cr0001'],
    ['\u3000cr 0001\u3000', 'cr 0001'],
    ['\x1dcr\u200b0001\x1e', 'cr\u200b0001'],
    ['𠮷\u200b', '𠮷'],
    ['é', 'é'],
    ['\u202aמשה\u202c', 'משה'],
    [' \u200b\0', ''],
    ['', ''],
  ])('%j', (given, seen) => {
    expect(visible(given)).toBe(seen)
  })

  test('a text of many blanks takes linear time', () => {
    const blanks = ' \u200b'.repeat(100_000)
    expect(visible(`${blanks}a${blanks}b${blanks}`).length).toBe(blanks.length + 2)
  })
})

test('a scanned text stands for the guest who has it just so, otherwise for the one with what is visible of it', () => {
  expect(uidOf('\u00a0ada', (uid) => uid === '\u00a0ada')).toBe('\u00a0ada')
  expect(uidOf('\u00a0ada', () => false)).toBe('ada')
  expect(possibleUids('ada\n')).toEqual(['ada\n', 'ada'])
  expect(possibleUids('ada')).toEqual(['ada'])
})
