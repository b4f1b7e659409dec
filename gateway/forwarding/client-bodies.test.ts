import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'

/* Bodies as clients' programs write them, each with what its author meant (docs/interface.md 1.4, 2.25 to 2.30). One system, no more. */

const system = await sharedSystem()

let testEvent: TestEvent
let category = ''

beforeAll(async () => {
  testEvent = await TestEvent.open(system)
  category = await testEvent.category()
})

const XML = 'application/xml'
const ID = '<guest-category-id>CATEGORY</guest-category-id>'
const MUELLER = '<last-name>Müller</last-name>'
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
const DIET = [{ name: 'diet', value: 'vegan' }]
const TWO = [...DIET, { name: 'seat', value: '007' }]
const item = (tag: string, name: string, value: string): string =>
  `<${tag}><name>${name}</name><value>${value}</value></${tag}>`
const both = (tag: string): string => item(tag, 'diet', 'vegan') + item(tag, 'seat', '007')
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const utf16be = (text: string): Buffer => utf16(text).swap16()

interface Case {
  type?: string
  encode?: (text: string) => Buffer
  body: string
  /** What of the guest is so; Müller by default. */
  becomes?: object
}

const cases: Record<string, Case> = {
  'an attribute of an element': {
    body: `<guest id="5"><guest-category-id type="string">CATEGORY</guest-category-id><last-name lang="fr">Müller</last-name></guest>`,
  },
  'a byte order mark': { body: `\ufeff<?xml version="1.0" encoding="utf-8"?><guest>${ID}${MUELLER}</guest>` },
  'CDATA in a text': {
    body: `<guest>${ID}<last-name>Mü<![CDATA[ller & ]]>Söhne</last-name></guest>`,
    becomes: { last_name: 'Müller & Söhne' },
  },
  'character references': {
    body: `<guest>${ID}<last-name>M&#xfc;ller &amp; S&#246;hne &#128640;</last-name></guest>`,
    becomes: { last_name: 'Müller & Söhne 🚀' },
  },
  'letters by their names in HTML': { body: `<guest>${ID}<last-name>M&uuml;ller&nbsp;</last-name></guest>` },
  'comments and instructions': {
    body: `<!-- x --><?a b?><guest>${ID}<last-name>Mü<!-- in -->ller</last-name><?pi y?></guest><!-- end -->`,
  },
  'CR and LF': {
    body: `<?xml version="1.0"?>\r\n<guest>\r\n${ID}\r\n<last-name>\r\n Müller\r\n</last-name></guest>\r\n`,
  },
  'an empty line before the declaration': { body: `\n<?xml version="1.0"?><guest>${ID}${MUELLER}</guest>` },
  'XML 1.1': { body: `<?xml version="1.1" encoding="UTF-8"?><guest>${ID}${MUELLER}</guest>` },
  'names with underscores': {
    body: '<guest><guest_category_id>CATEGORY</guest_category_id><last_name>Müller</last_name></guest>',
  },
  'another root': { body: `<hash>${ID}${MUELLER}</hash>` },
  'a type of the client’s own': { type: 'application/vnd.acme.guest+xml', body: `<guest>${ID}${MUELLER}</guest>` },
  'text/xml, whose default is ASCII': { type: 'text/xml; charset=us-ascii', body: `<guest>${ID}${MUELLER}</guest>` },
  'no type at all': { type: '', body: `<guest>${ID}${MUELLER}</guest>` },
  'windows-1252 by declaration': {
    encode: (text) => Buffer.concat([latin1(text.replace('€', '\x80'))]),
    body: `<?xml version="1.0" encoding="windows-1252"?><guest>${ID}<last-name>Müller €</last-name></guest>`,
    becomes: { last_name: 'Müller €' },
  },
  'ISO-8859-1 by declaration': {
    encode: latin1,
    body: `<?xml version="1.0" encoding="ISO-8859-1"?><guest>${ID}${MUELLER}</guest>`,
  },
  'ISO-8859-1 by the head alone': {
    type: 'application/xml; charset=ISO-8859-1',
    encode: latin1,
    body: `<guest>${ID}${MUELLER}</guest>`,
  },
  'windows-1252 by the head, before another declaration': {
    type: 'text/xml; charset="windows-1252"',
    encode: latin1,
    body: `<?xml version="1.0" encoding="UTF-8"?><guest>${ID}${MUELLER}</guest>`,
  },
  'UTF-8 by the head, before another declaration': {
    type: 'application/xml; charset=utf-8',
    body: `<?xml version="1.0" encoding="ISO-8859-1"?><guest>${ID}${MUELLER}</guest>`,
  },
  'ISO-8859-1 by declaration, though a client says UTF-8': {
    type: 'application/xml; charset=utf-8',
    encode: latin1,
    body: `<?xml version="1.0" encoding="ISO-8859-1"?><guest>${ID}${MUELLER}</guest>`,
  },
  'UTF-16 declared by a program that wrote to a string': {
    body: `<?xml version="1.0" encoding="utf-16"?>\r\n<guest ${XSI}>${ID}${MUELLER}</guest>`,
  },
  'UTF-16 with a byte order mark': {
    encode: utf16,
    body: `\ufeff<?xml version="1.0" encoding="utf-16"?><guest>${ID}${MUELLER}</guest>`,
  },
  'big-endian UTF-16 with a byte order mark': {
    encode: utf16be,
    body: `\ufeff<?xml version="1.0" encoding="utf-16"?><guest>${ID}${MUELLER}</guest>`,
  },
  'UTF-16 by the head alone': {
    type: 'application/xml; charset=utf-16',
    encode: utf16,
    body: `<guest>${ID}${MUELLER}</guest>`,
  },
  'big-endian UTF-16 by the head alone': {
    type: 'application/xml; charset=utf-16be',
    encode: utf16be,
    body: `<guest>${ID}${MUELLER}</guest>`,
  },
  'a namespace by default': { body: `<guest xmlns="http://schemas.example/guest">${ID}${MUELLER}</guest>` },
  'prefixes (JAXB)': {
    body: '<ns2:guest xmlns:ns2="urn:g"><ns2:guest-category-id>CATEGORY</ns2:guest-category-id><ns2:last-name>Müller</ns2:last-name></ns2:guest>',
  },
  'prefixes and lists (DataContract)': {
    body: `<a0:guest xmlns:a0="urn:g" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">${ID.replaceAll('guest-category-id', 'a0:guest-category-id')}<a0:last-name>Müller</a0:last-name><a0:email i:nil="true"/><a0:guest-metadata>${both('a0:guest-metadatum').replaceAll(/<(\/?)(name|value)>/g, '<$1a0:$2>')}</a0:guest-metadata></a0:guest>`,
    becomes: { email: null, guest_metadata: TWO },
  },
  'xsi:nil and a list without type (.NET)': {
    body: `\ufeff<?xml version="1.0" encoding="utf-8"?>\n<guest ${XSI}>\n ${ID}\n ${MUELLER}\n <email xsi:nil="true" />\n <guest-metadata>\n ${both('guest-metadatum')}\n </guest-metadata>\n</guest>`,
    becomes: { email: null, guest_metadata: TWO },
  },
  'null with a type, and as 1': {
    body: `<guest>${ID}${MUELLER}<company-name type="string" nil="true"/><first-name nil="1"/></guest>`,
    becomes: { company_name: null, first_name: null },
  },
  'null of a field that has none': {
    body: `<guest>${ID}${MUELLER}<rsvp-status xsi:nil="true" ${XSI}/><guest-metadata xsi:nil="true" ${XSI}/></guest>`,
    becomes: { rsvp_status: 'not_replied', guest_metadata: [] },
  },
  'a list that says so': {
    body: `<guest>${ID}${MUELLER}<guest-metadata type="array">${item('guest-metadatum', 'diet', 'vegan')}</guest-metadata></guest>`,
    becomes: { guest_metadata: DIET },
  },
  'an empty list': {
    body: `<guest>${ID}${MUELLER}<guest-metadata type="array"/></guest>`,
    becomes: { guest_metadata: [] },
  },
  'a list of one without type': {
    body: `<guest>${ID}${MUELLER}<guest-metadata>${item('guest-metadatum', 'diet', 'vegan')}</guest-metadata></guest>`,
    becomes: { guest_metadata: DIET },
  },
  'a list without an element around it (JAXB)': {
    body: `<guest>${ID}${both('guest-metadata')}${MUELLER}</guest>`,
    becomes: { guest_metadata: TWO },
  },
  'one such item': {
    body: `<guest>${ID}${item('guest-metadata', 'diet', 'vegan')}${MUELLER}</guest>`,
    becomes: { guest_metadata: DIET },
  },
  'such items by the singular': {
    body: `<guest>${ID}${both('guest-metadatum')}${MUELLER}</guest>`,
    becomes: { guest_metadata: TWO },
  },
  'names as elements': {
    body: `<guest>${ID}${MUELLER}<guest-metadata><diet>vegan</diet><seat>007</seat></guest-metadata></guest>`,
    becomes: { guest_metadata: TWO },
  },
  'blanks around all values': {
    body: `<guest>\n  <guest-category-id>\n    CATEGORY\n  </guest-category-id>\n  <last-name>\n    Müller\n  </last-name>\n</guest>`,
  },
  'a uid with zeros in front': { body: `<guest>${ID}${MUELLER}<uid>000123</uid></guest>`, becomes: { uid: '000123' } },
  'a uid that is called a number': {
    body: `<guest>${ID}${MUELLER}<uid type="integer">000124</uid></guest>`,
    becomes: { uid: '000124' },
  },
  'a uid like a number with an exponent': {
    body: `<guest>${ID}${MUELLER}<uid>1e5</uid></guest>`,
    becomes: { uid: '1e5' },
  },
  'JSON with a byte order mark': {
    type: 'application/json',
    body: '\ufeff{"guest_category_id":"CATEGORY","last_name":"Müller"}',
  },
  'JSON without a type': { type: '', body: ' {"guest":{"guest_category_id":"CATEGORY","last_name":"Müller"}}' },
  'JSON that a client calls a form': {
    type: 'application/x-www-form-urlencoded',
    body: '{"guest_category_id":"CATEGORY","last_name":"Müller"}',
  },
  'JSON of a type of the client’s own': {
    type: 'application/vnd.api+json',
    body: '{"guest_category_id":"CATEGORY","last_name":"Müller"}',
  },
  'a JSON number with more digits than a double has': {
    type: 'application/json',
    body: '{"guest_category_id":"CATEGORY","last_name":"Müller","uid":10853738742371098624,"phone_number":33612345678901234567}',
    becomes: { uid: '10853738742371098624', phone_number: '33612345678901234567' },
  },
  'JSON numbers as they are written': {
    type: 'application/json',
    body: '{"guest_category_id":"CATEGORY","last_name":"Müller","uid":1.10,"phone_number":1e6,"guest_metadata":{"a":0.10,"b":-0,"c":12}}',
    becomes: {
      uid: '1.10',
      phone_number: '1e6',
      guest_metadata: [
        { name: 'a', value: '0.10' },
        { name: 'b', value: '-0' },
        { name: 'c', value: '12' },
      ],
    },
  },
}

describe('a guest is made of what a client sends', () => {
  test.each(Object.entries(cases))('%s', async (_what, { type = XML, encode = Buffer.from, body, becomes }) => {
    const bytes = new Blob([new Uint8Array(encode(body.replaceAll('CATEGORY', category)))])
    const url = `${system.url}/api/v1/events/${testEvent.id}/guests.json?auth_token=${system.auth_token}`
    const answer = await fetch(url, { method: 'POST', body: bytes, ...(type && { headers: { 'content-type': type } }) })
    const made = (await answer.json()) as { _id: string }
    expect([answer.status, made]).toEqual([201, expect.anything()])
    const guest = await testEvent.read(`guests/${made._id}.json?guest_metadata=true`)
    expect(guest).toMatchObject({ last_name: 'Müller', guest_category_id: category, ...becomes })
    await testEvent.remove(`guests/${made._id}.json`)
  })
})

describe('a discount code is made of what JAXB writes', () => {
  test.each([
    `<ns2:promo-code xmlns:ns2="urn:promo"><ns2:text>JAX1</ns2:text><ns2:amount>1.0</ns2:amount><ns2:max-usage ${XSI} xsi:nil="true"/></ns2:promo-code>`,
    `<promo-code xmlns:ns2="urn:promo"><text>JAX2</text><amount>1.0</amount><max-usage ${XSI} xsi:nil="true"/><label ${XSI} xsi:nil="true"/></promo-code>`,
  ])('%s', async (document) => {
    const answer = await testEvent.xml('POST', 'promo_codes.json', document)
    expect(answer.body).toMatchObject({ text: /JAX\d/.exec(document)?.[0], amount: 1, max_usage: -1, label: null })
  })
})

describe('flags are read as programs write them', () => {
  test.each([
    ['True', true],
    ['on', true],
    [' 1 ', true],
    ['yes', true],
    ['False', false],
    ['off', false],
    ['0', false],
    ['', false],
  ])('%j', async (written, flag) => {
    const document = `<guest-category><name>C</name><badge-enabled>${written}</badge-enabled></guest-category>`
    const answer = await testEvent.xml('POST', 'guest_categories.json', document)
    expect(answer.body).toMatchObject({ name: 'C', badge_enabled: flag })
  })

  test('an empty one changes nothing', async () => {
    await testEvent.xml('PUT', `../${testEvent.id}.json`, '<event><network-enabled/><title>New</title></event>')
    expect((await system.api('GET', `events/${testEvent.id}.json`)).body).toMatchObject({
      network_enabled: true,
      title: 'New',
    })
  })
})

describe('batches', () => {
  test.each([
    '<access-controls type="array"><access-control>ITEM</access-control><access-control>ITEM</access-control></access-controls>',
    '<ArrayOfAccessControl><AccessControl>ITEM</AccessControl><AccessControl>ITEM</AccessControl></ArrayOfAccessControl>',
    '<a0:access-controls xmlns:a0="urn:x"><a0:access-control>ITEM</a0:access-control><a0:access-control>ITEM</a0:access-control></a0:access-controls>',
  ])('%s', async (document) => {
    const point = await testEvent.point()
    const scan = `<accesspoint-id>\n${point}\n</accesspoint-id><guest-uid>\nnobody\n</guest-uid>`
    const answer = await testEvent.xml('POST', 'access_controls/batch_create.json', document.replaceAll('ITEM', scan))
    expect([answer.status, answer.body.length]).toEqual([201, 2])
    expect(answer.body[0]).toMatchObject({ guest_uid: 'nobody', accesspoint_id: point })
  })

  test('numbers in JSON keep their digits in single scans and in batches of any size', slow, async () => {
    const point = await testEvent.point()
    const [one, other] = ['10853738742371098624', '10853738742371098625']
    for (const uid of [one, other]) await testEvent.guest(category, uid)
    const scan = (uid: string): string => `{"accesspoint_id":"${point}","guest_uid":${uid}}`
    const single = await testEvent.api('POST', 'access_controls.json', scan(other))
    expect(single.body).toMatchObject({ guest_uid: other, access_status: 2 })
    for (const count of [1, 700]) {
      const items = Array.from({ length: count }, () => `${scan(one)},${scan(other)}`)
      const batch = await testEvent.api('POST', 'access_controls/batch_create.json', `\ufeff[${items}]`)
      expect(batch.status).toBe(201)
      expect(batch.body.slice(-2).map((each: { guest_uid: string }) => each.guest_uid)).toEqual([one, other])
    }
  })
})

describe('what cannot be read says how it was read', () => {
  test.each([
    ['', 'last_name=Ada', 415, 'The request has no Content-Type, and its body is neither JSON nor XML'],
    ['', '{"last_name":', 400, 'The body is not valid JSON'],
    ['application/x-www-form-urlencoded', '{"last_name":', 400, 'The body is not valid JSON'],
    [XML, '<!DOCTYPE g SYSTEM "http://x.example/g.dtd"><g/>', 400, 'Document types are not accepted'],
    ['application/xml; charset=utf-16', '\ufeff', 400, expect.stringContaining('The body is not valid')],
    ['application/xml; charset=klingon', '<g/>', 400, 'The body is not valid klingon'],
  ])('%j %s', async (type, body, status, error) => {
    const url = `${system.url}/api/v1/events/${testEvent.id}/guests.json?auth_token=${system.auth_token}`
    const answer = await fetch(url, {
      method: 'POST',
      body: new Blob([body]),
      ...(type && { headers: { 'content-type': type } }),
    })
    expect([answer.status, await answer.json()]).toEqual([status, { error }])
  })
})
