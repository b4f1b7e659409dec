import { expect, test } from 'vitest'
import en from '../../apps/scanner/src/texts/languages/en.json' with { type: 'json' }
import { shownIn } from './screen.ts'

const sight = (signal: string, ...texts: string[]) => ({
  at: 0,
  number: 1,
  signal,
  heading: 'Heading',
  who: 'ada',
  texts,
})

test('a screen says what it shows, and who has decided it', () => {
  expect(shownIn(sight('granted'))).toEqual({ by: 'server', status: 0 })
  expect(shownIn(sight('unconfirmed', en.unconfirmed_text))).toEqual({ by: 'device', status: 0 })
  expect(shownIn(sight('too_many', en.too_many_text))).toEqual({ by: 'server', status: 3 })
  expect(shownIn(sight('not_authorized', en.not_authorized_text, en.refused_alone))).toEqual({
    by: 'device',
    status: 2,
  })
  expect(shownIn(sight('unknown', en.unknown_text))).toEqual({ by: 'server', status: 1 })
  expect(shownIn(sight('undecided'))).toEqual({ by: 'nobody' })
  expect(shownIn(sight('party'))).toEqual({ by: 'question' })
  expect(shownIn(sight('problem', 'no room'))).toEqual({ by: 'app', text: 'Heading: no room' })
})
