import { oneNeeded } from '@gatehouse/proto/declaring/faults.ts'
import { Message, type MessageCode, messageOf, messageSentences } from '@gatehouse/proto/declaring/messages.ts'
import { replyOf } from '@gatehouse/proto/formats/lists/values.ts'
import { tags, textsOf } from '@gatehouse/proto/pages/languages.ts'
import { expect, test } from 'vitest'
import { errorWords, labelled } from '../src/form/error-words.ts'
import { type TextKey, textsSpeakerOf } from '../src/texts/words.ts'

const VALUES = {
  ...{ limit: 255, fields: 'last_name or uid', values: 'accepted, declined' },
  ...{ thing: 'a guest', owner: 'event', act: 'delete', found: '%x%', wanted: 4, line: 3, value: 'a@b.test' },
  ...{ type: 'PNG', reason: 'nobody there', encoding: 'utf-8', field: 'since' },
  ...{ name: 'Guests', names: 'One, Two', kind: '.xls', text: 'Guests of Acme' },
}

const languages = await textsOf<TextKey>(
  (tag) => import(`../src/texts/languages/${tag}.json`, { with: { type: 'json' } }),
)

test.each(tags)('an error has words of its own in %s', (tag) => {
  const say = textsSpeakerOf(languages[tag], tag)
  for (const code of Object.keys(messageSentences) as MessageCode[]) {
    const message = messageOf(code, VALUES)
    const words = errorWords(say, message)
    expect(words).not.toBe(String(message))
    expect(words).not.toMatch(/last_name|declined/)
  }
})

test('an error has the limit of the declaration and the labels of fields; one with an unknown code is as the API says it', () => {
  const say = textsSpeakerOf(languages.de, 'de')
  expect(labelled(say, 'name', [messageOf('too_long', { limit: 255 })])).toBe(
    'Name: Höchstens 255 Zeichen sind möglich.',
  )
  expect(errorWords(say, oneNeeded(['last_name', 'email', 'uid']))).toBe(
    'Mindestens eine dieser Angaben ist nötig: Nachname, E-Mail, Code.',
  )
  expect(errorWords(say, messageOf('disallowed_link', { found: 'https://a.test' }))).toBe(
    'Nur {{link}} darf ein Link sein, nicht https://a.test.',
  )
  expect(errorWords(say, new Message('is odd', { code: 'of_a_newer_version' as MessageCode }))).toBe('is odd')
})

test.each(tags)('an import understands replies as the console shows them in %s', (tag) => {
  const texts = languages[tag]
  for (const reply of ['accepted', 'declined', 'not_replied'] as const)
    expect(replyOf(texts[`choice_${reply}`])).toBe(reply)
  expect([replyOf(texts.yes), replyOf(texts.no)]).toEqual(['accepted', 'declined'])
})
