import { expect, test } from 'vitest'
import { addressesOf } from './addresses.ts'

/** The recipients of a line, each as `address first|last`. */
const shown = (line: string): string[] =>
  addressesOf(line).map(({ email, first_name = '', last_name = '' }) =>
    first_name || last_name ? `${email} ${first_name}|${last_name}` : email,
  )

test.each([
  ...[' ', '\t', ';', ',', ', ', '/', '|', ' ; ', '；', '，', '、', '｜'].map((sign) => `a@x.test${sign}b@x.test`),
  '<a@x.test>, <b@x.test>',
  'mailto:a@x.test mailto:b@x.test?subject=x',
  'To: a@x.test; Cc: b@x.test',
  'Team: a@x.test, b@x.test;',
  "'a@x.test'; 'b@x.test'",
  '• a@x.test • b@x.test',
  '1. a@x.test 2) b@x.test.',
  'a＠x.test；b＠x.test',
  '"a@x.test" <a@x.test>; b@x.test <b@x.test>',
])('two addresses on a line are two recipients: %j', (line) => {
  expect(shown(line)).toEqual(['a@x.test', 'b@x.test'])
})

test.each([
  ['Ada Lund <a@x.test>', 'a@x.test Ada|Lund'],
  ['"Lund, Ada" <a@x.test>', 'a@x.test Ada|Lund'],
  ['Lund, Ada <a@x.test>', 'a@x.test Ada|Lund'],
  ["'Ada Lund' <a@x.test>", 'a@x.test Ada|Lund'],
  ['"Lund, A<b>" <a@x.test>', 'a@x.test A<b>|Lund'],
  ['• "Ada [ACME] | Lund" <a@x.test>', 'a@x.test Ada [ACME] ||Lund'],
  ['Ada "Eye" <a@x.test>', 'a@x.test Ada|Eye'],
  ['“Ada Lund” ‹a@x.test›', 'a@x.test Ada|Lund'],
  ['Ada\u00a0Lund\u00a0<a@x.test>', 'a@x.test Ada|Lund'],
  ['Ada Lund a@x.test', 'a@x.test Ada|Lund'],
  ['a@x.test Ada Lund', 'a@x.test Ada|Lund'],
  ['a@x.test (Ada Lund)', 'a@x.test Ada|Lund'],
  ['Ada Lund [mailto:a@x.test]', 'a@x.test Ada|Lund'],
  ['1) Ada Lund - a@x.test', 'a@x.test Ada|Lund'],
  ['- Ada Lund, a@x.test', 'a@x.test Ada|Lund'],
  ['Von: Ada Lund <a@x.test>', 'a@x.test Ada|Lund'],
  ['Ada <a@x.test>', 'a@x.test Ada|'],
  ["Sam O'Neil <a@x.test>", "a@x.test Sam|O'Neil"],
  ['12 a@x.test', 'a@x.test'],
])('%j', (line, recipient) => {
  expect(shown(line)).toEqual([recipient])
})

test('several with names keep theirs', () => {
  expect(shown('Lund, Ada <a@x.test>; Bo Berg <b@x.test>; c@x.test')).toEqual([
    'a@x.test Ada|Lund',
    'b@x.test Bo|Berg',
    'c@x.test',
  ])
  expect(shown('a@x.test Ada Lund, b@x.test Bo Berg')).toEqual(['a@x.test Ada|Lund', 'b@x.test Bo|Berg'])
})

test('a line without an address is an entry that is none; a label alone is nothing', () => {
  expect([shown('nobody'), shown('a@@b'), shown('<>'), shown('To:')]).toEqual([['nobody'], ['a@@b'], [''], []])
})
