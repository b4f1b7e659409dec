import { isAct } from '@gatehouse/proto/audit/acts.ts'
import { tags, textsOf } from '@gatehouse/proto/pages/languages.ts'
import { all } from '@gatehouse/test/tables/rows.ts'
import { expect, test } from 'vitest'
import { sentenceOf } from '../src/audit/sentence.ts'
import { type TextKey, textsSpeakerOf } from '../src/texts/words.ts'

const languages = await textsOf<TextKey>(
  (tag) => import(`../src/texts/languages/${tag}.json`, { with: { type: 'json' } }),
)
const acts = all.filter(({ action }) => isAct(action, action.exports?.[0] ?? 'json'))
const record = { kind: 'act', token_name: 'Ada Berg', changed_fields: [] }

test.each(tags)('each act that the audit log records has words for what was done, and to what, in %s', (tag) => {
  const say = textsSpeakerOf(languages[tag], tag)
  expect(acts.length).toBeGreaterThan(50)
  const wordless = acts.filter(({ resource: { service, many }, name }) => {
    const sentence = sentenceOf(say, { ...record, action: `${service}.${many}.${name}` }, {})
    const thing = `audit_thing_${many}`
    const other = say.knows(thing) && say('audit_did_other', { who: 'Ada Berg', what: say(thing) })
    return other === false || sentence === other || !sentence.includes('Ada Berg')
  })
  expect(wordless.map(({ resource, name }) => `${resource.many}.${name}`)).toEqual([])
})

test('a record is a sentence of who did what to what, with the fields that were changed', () => {
  const say = textsSpeakerOf(languages.en, 'en')
  const changed = { ...record, action: 'guests.guest_categories.update', changed_fields: ['name', 'badge_enabled'] }
  expect(sentenceOf(say, changed, { what: 'VIP' })).toBe('Ada Berg changed the guest category “VIP”: Name, Badge')
  const batch = { ...record, action: 'guests.guest_fields.batch_create', items: 3 }
  expect(sentenceOf(say, batch, {})).toBe('Ada Berg added guest fields (3)')
  const erased = { kind: 'act', action: 'guests.erasures.create', token_id: 'retention', token_name: null }
  expect(sentenceOf(say, erased, {})).toBe('The erasure date of the event erased personal data')
  expect(sentenceOf(say, { kind: 'sign_in' }, { who: 'Tom Hill' })).toBe('Tom Hill signed in')
  expect(sentenceOf(say, { kind: 'sign_in_failed' }, {})).toBe('Someone failed to sign in')
})
