import { fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { record, type SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import { queryReaderOf } from '@gatehouse/proto/formats/json-reader.ts'
import { elementName } from '@gatehouse/proto/formats/xml.ts'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../harness/system.ts'
import { sampled, slow } from '../rounds.ts'
import { fieldsOf, hostileJson, hostileQueries, hostileXml, type Way, withRaw, xmlWith } from './samples.ts'
import { each, named, refusalOf, useWorld, wantedOf, withBody, world, XML } from './table.ts'
import type { ActionRow } from './world.ts'

// Runs over every action that has a route, so that a new action is tested as soon as it is declared.

useWorld()

describe('hostile values are accepted, or refused with the name of the field', () => {
  /** Checks the answer to an object, or to a batch of one item. */
  function judge(row: ActionRow, way: Way, sent: string, answer: Answer): void {
    const shown = `${answer.status} ${answer.text.slice(0, 300)} for ${way.join('.')} = ${sent.slice(0, 80)}`
    // The value may be part of a secret, which is then wrong.
    const usual = row.action.secret ? /^(2\d\d|401|422) / : /^(2\d\d|422) /
    expect(shown).toMatch(wantedOf(row.action, sent) ?? usual)
    if (answer.status !== 422) return
    const field = way.find((step) => typeof step === 'string') as string | undefined
    if (field === undefined) return
    if (answer.headers.get('content-type')?.includes('xml')) {
      const [subject = ''] = fullSentences({ [field]: [''] })
      expect(answer.text.toLowerCase(), shown).toContain(`<error>${subject.trim().toLowerCase()}`)
      return
    }
    const errors = row.action.batch && Array.isArray(answer.body) ? answer.body[0].errors : answer.body.errors
    expect(
      Object.keys(errors ?? {}).map((name) => name.split('.')[0]),
      shown,
    ).toContain(field)
  }

  test.each(sampled(withBody, 16))('%s in JSON', slow, async (_label, row) => {
    const params = await world.paramsOf(row)
    const attacks = fieldsOf(row.action.body as SchemaNode).flatMap((way) => hostileJson.map((raw) => ({ way, raw })))
    await each(sampled(attacks), async ({ way, raw }) => {
      const body = await world.bodyOf(row)
      judge(row, way, raw, await world.send(row, { params, body: withRaw(body, way, raw) }))
    })
  })

  test.each(sampled(withBody, 16))('%s in XML', async (_label, row) => {
    const { resource, action } = row
    const schema = action.body as SchemaNode
    const item = (action.batch ? schema.items : schema) as SchemaNode
    const params = await world.paramsOf(row)
    const attacks = Object.keys(item.properties ?? {}).flatMap((field) => hostileXml.map((raw) => ({ field, raw })))
    await each(sampled(attacks), async ({ field, raw }) => {
      const valid = await world.bodyOf(row)
      const sound = { ...((action.batch ? (valid as object[])[0] : valid) as object), [field]: undefined }
      const element = raw.replaceAll('NAME', elementName(field))
      const document = xmlWith(item, resource.one, sound, element)
      const many = elementName(resource.many)
      const sent = action.batch ? `<${many} type="array">${document}</${many}>` : document
      judge(row, [field], element, await world.send(row, { params, body: sent, suffix: '.xml', headers: XML }))
    })
  })

  test.each(
    sampled(
      named(({ method }) => method === 'GET'),
      16,
    ),
  )('%s in the query', async (_label, row) => {
    const params = await world.paramsOf(row)
    const query = row.action.query ?? record({})
    const declared = Object.keys(query.properties)
    const attacks = [...declared, 'undeclared'].flatMap((name) => hostileQueries.map((raw) => ({ name, raw })))
    await each(sampled(attacks), async ({ name, raw }) => {
      const attack = raw.replaceAll('NAME', name)
      // A whole page takes long, because other tests have created so much.
      const sent = declared.includes('per_page') && name !== 'per_page' ? `${attack}&per_page=2` : attack
      for (const suffix of ['.json', '.xml']) {
        const answer = await world.send(row, { params, query: sent, suffix })
        const shown = `${answer.status} ${answer.text.slice(0, 300)} for ${sent.slice(0, 80)}`
        expect(shown).toMatch(name === row.action.secret ? /^(200|401|422) / : /^(200|422) /)
        if (answer.status !== 422) continue
        const { fields, sentences } = refusalOf(answer)
        const [subject = ''] = fullSentences({ [name]: [''] })
        if (suffix === '.json') expect(fields, shown).toEqual([expect.stringMatching(new RegExp(`^${name}(\\.|$)`))])
        else expect(sentences[0]?.toLowerCase(), shown).toContain(subject.trim().toLowerCase())
      }
    })
    expect(queryReaderOf(query)({}).errors).toBeUndefined()
  })
})
