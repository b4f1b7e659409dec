import { speakerOf } from '@gatehouse/proto/pages/languages.ts'
import { expect, test } from 'vitest'
import { GatehouseError } from '../../../clients/typescript/client.ts'
import { problemOf, problemOfFields, problemWords } from '../src/server/problems.ts'
import de from '../src/texts/languages/de.json' with { type: 'json' }
import type { ScannerKey } from '../src/texts/say.ts'

const say = speakerOf<ScannerKey>(de)
const refused = (code: string): GatehouseError =>
  new GatehouseError(403, 'In English', { reason: { code, values: { minutes: 15 } } })

test('a refusal is said in the language of the device, by its code or by the field that is wrong', () => {
  expect(problemWords(say, problemOf(refused('undone_too_late')))).toContain('am Einlass zu spät')
  expect(problemWords(say, problemOf(refused('other_points')))).toContain('Wählen Sie eine andere Check-in-Stelle')
  const gone = problemOfFields({ accesspoint_id: ['is not a check-in point of the event'] })
  expect(problemWords(say, gone)).toContain('Wählen Sie eine andere Check-in-Stelle')
})

test('one that the device does not know is said in the words of the server, as is one that an earlier version has stored', () => {
  expect(problemWords(say, problemOf(refused('later_code')))).toBe('In English')
  expect(problemWords(say, problemOfFields({ persons: ['is too big'] }))).toBe('persons is too big')
  expect(problemWords(say, 'The device is bound to other check-in points')).toBe(
    'The device is bound to other check-in points',
  )
})
