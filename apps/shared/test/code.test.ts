import { expect, test } from 'vitest'
import { readCode } from '../src/codes/code.ts'

test('a plain text is a uid, without the blanks around it', () => {
  expect(readCode(' ada1815\n')).toEqual({ kind: 'uid', uid: 'ada1815' })
  expect(readCode('MECARDS:x')).toEqual({ kind: 'uid', uid: 'MECARDS:x' })
})

test('a MeCard gives uid and name, with what is escaped in them', () => {
  expect(readCode('MECARD:UID:ada\\;18\\\\15;N:Lovelace\\, née Byron,Ada;ORG:x;;')).toEqual({
    kind: 'uid',
    uid: 'ada;18\\15',
    name: 'Ada Lovelace, née Byron',
  })
  expect(readCode('MECARD:UID:ada;;')).toEqual({ kind: 'uid', uid: 'ada' })
  expect(readCode('MECARD:N:Babbage;UID:charles;;')).toEqual({ kind: 'uid', uid: 'charles', name: 'Babbage' })
})

test('a ciphered code is left to the server', () => {
  expect(readCode('E:c2VjcmV0')).toEqual({ kind: 'ciphered' })
})

test.each(['', '  ', 'MECARD:N:Ada;;', `${'x'.repeat(256)}`])('%j is no guest’s code', (content) => {
  expect(readCode(content)).toBeUndefined()
})
