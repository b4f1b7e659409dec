import { readXml } from '@gatehouse/test/harness/read-xml.ts'
import { describe, expect, test } from 'vitest'
import { Fault } from '../declaring/faults.ts'
import {
  datetime,
  decimal,
  fieldErrors,
  flag,
  freeObject,
  identifier,
  integer,
  list,
  optionalText,
  record,
  type SchemaNode,
  text,
} from '../declaring/fields.ts'
import { elementName, errorDocument, xmlWriterOf } from './xml.ts'

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const asNode = (schema: unknown): SchemaNode => schema as SchemaNode
const metadatum = record({ name: text(), value: optionalText() })
const guest = asNode(
  record({
    _id: identifier(),
    last_name: optionalText(),
    access_status: integer(),
    amount: decimal(),
    badge_completed: flag(),
    access_stamp: datetime(),
    guest_metadata: list(metadatum, 'guest_metadatum', { fromObject: ['name', 'value'] }),
    metadata: freeObject(),
  }),
)
const guests = asNode(list(guest as never, 'guest'))
const write = xmlWriterOf(guest, 'guest', 'guests')

describe('writing', () => {
  test('names have hyphens for underscores, and _id keeps its name', () => {
    expect(elementName('access_stamp')).toBe('access-stamp')
    expect(elementName('_id')).toBe('_id')
    expect(elementName('stroke-width')).toBe('stroke-width')
  })

  test('typed values carry their type, and null is nil', () => {
    const value = {
      _id: 'a1',
      last_name: null,
      access_status: 0,
      amount: 0.5,
      badge_completed: false,
      access_stamp: '2024-02-29T10:00:00.000Z',
      guest_metadata: [{ name: 'job', value: '' }],
      metadata: {},
    }
    expect(write(value)).toBe(
      `${DECLARATION}<guest><_id>a1</_id><last-name nil="true"/><access-status type="integer">0</access-status>` +
        '<amount type="float">0.5</amount><badge-completed type="boolean">false</badge-completed>' +
        '<access-stamp type="datetime">2024-02-29T10:00:00.000Z</access-stamp>' +
        '<guest-metadata type="array"><guest-metadatum><name>job</name><value/></guest-metadatum></guest-metadata>' +
        '<metadata/></guest>',
    )
  })

  test('a list is an array of the singular, empty or not', () => {
    const writeAll = xmlWriterOf(guests, 'guest', 'guests')
    expect(writeAll([])).toBe(`${DECLARATION}<guests type="array"/>`)
    expect(writeAll([{ _id: 'a' }])).toBe(`${DECLARATION}<guests type="array"><guest><_id>a</_id></guest></guests>`)
  })

  test('the errors of a refused batch item stand in its place', () => {
    const writeAll = xmlWriterOf(guests, 'guest', 'guests')
    expect(writeAll([{ _id: 'a' }, { errors: { guest_uid: ["can't be blank"] } }])).toBe(
      `${DECLARATION}<guests type="array"><guest><_id>a</_id></guest><errors><error>Guest uid can't be blank</error></errors></guests>`,
    )
  })

  test('text is escaped, and characters that XML cannot represent become U+FFFD', () => {
    expect(write({ last_name: `<b>&"'\r\n\t]]>` })).toContain(
      `<last-name>&lt;b&gt;&amp;&quot;'&#13;\n\t]]&gt;</last-name>`,
    )
    expect(write({ last_name: 'a\u0000\u0008\u001f\ufffe\ud800b 🎟️' })).toContain(
      '<last-name>a\ufffd\ufffd\ufffd\ufffd\ufffdb 🎟️</last-name>',
    )
  })

  test('errors that a record declares are sentences among its other fields', () => {
    const lines = list(record({ line: integer(), errors: fieldErrors() }), 'row')
    const write = xmlWriterOf(lines as unknown as SchemaNode, 'row', 'rows')
    expect(write([{ line: 2, errors: { email: ['is not valid', 'is <taken>'], row: ['is odd'] } }])).toBe(
      `${DECLARATION}<rows type="array"><row><line type="integer">2</line><errors><error>Email is not valid</error>` +
        '<error>Email is &lt;taken&gt;</error><error>Row is odd</error></errors></row></rows>',
    )
  })

  test('errors are full sentences', () => {
    expect(errorDocument('Not <found>', undefined)).toBe(
      `${DECLARATION}<errors><error>Not &lt;found&gt;</error></errors>`,
    )
    expect(errorDocument('', { last_name: ["can't be blank", 'is too long'], guest_category_id: ['is unknown'] })).toBe(
      `${DECLARATION}<errors><error>Last name can't be blank</error><error>Last name is too long</error>` +
        '<error>Guest category is unknown</error></errors>',
    )
  })
})

describe('reading', () => {
  test('the schema decides, with types or without, whatever the root is called', () => {
    const typed = '<guest><access-status type="integer">3</access-status><_id>x</_id></guest>'
    const plain = '<anything><access_status>3</access_status><_id>x</_id></anything>'
    expect(readXml(typed, guest)).toEqual({ access_status: '3', _id: 'x' })
    expect(readXml(plain, guest)).toEqual({ access_status: '3', _id: 'x' })
  })

  test('nil is null, an empty element is an empty text, and an empty list is a list', () => {
    const document = '<guest><last-name nil="true"/><first-name></first-name><guest-metadata type="array"/></guest>'
    expect(readXml(document, guest)).toEqual({ last_name: null, first_name: '', guest_metadata: [] })
  })

  test('any child is an item of a list', () => {
    const item = '<x><_id>a</_id></x>'
    expect(readXml(`<guests type="array">${item}${item}</guests>`, guests)).toEqual([{ _id: 'a' }, { _id: 'a' }])
    expect(readXml('<guests><guest><_id>a</_id></guest></guests>', guests)).toEqual([{ _id: 'a' }])
  })

  test('a list where the schema knows none is one by its type', () => {
    expect(readXml('<g><unknown type="array"><a>1</a><b>2</b></unknown></g>', guest)).toEqual({ unknown: ['1', '2'] })
  })

  test('pairs are read as a list of them and as elements named after the keys', () => {
    const pairs = '<guest-metadatum><name>job</name><value>poet</value></guest-metadatum>'
    expect(readXml(`<g><guest-metadata type="array">${pairs}</guest-metadata></g>`, guest)).toEqual({
      guest_metadata: [{ name: 'job', value: 'poet' }],
    })
    expect(readXml('<g><guest-metadata><job>poet</job><age/><pet nil="true"/></guest-metadata></g>', guest)).toEqual({
      guest_metadata: { job: 'poet', age: '', pet: null },
    })
    expect(readXml('<g><guest-metadata><job>poet</job><home-town>Rye</home-town></guest-metadata></g>', guest)).toEqual(
      {
        guest_metadata: { job: 'poet', home_town: 'Rye' },
      },
    )
  })

  test('entities of XML itself, character references and CDATA are text', () => {
    expect(readXml('<g><last-name>&lt;&amp;&#233;&#x1F39F;<![CDATA[<b>&x;]]></last-name></g>', guest)).toEqual({
      last_name: '<&é🎟<b>&x;',
    })
  })

  test('comments, processing instructions and white space between elements mean nothing', () => {
    expect(readXml('<?xml version="1.0"?>\n<!-- a --><g>\n  <?pi x?><_id>a</_id><!-- b -->\n</g>\n', guest)).toEqual({
      _id: 'a',
    })
  })

  test('a name from the prototype is a name like any other', () => {
    const read = readXml('<g><__proto__><admin>1</admin></__proto__><constructor>1</constructor></g>', guest)
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
    expect(Object.keys(read as object)).toEqual(['__proto__', 'constructor'])
  })

  test("a client's own object keeps its names and its types", () => {
    const own = {
      title: 'a',
      seats: 2,
      share: 0.5,
      open: true,
      gone: null,
      all: [1, 'b'],
      'odd name': 'x',
      in: { a_b: 'c' },
    }
    expect(readXml(write({ metadata: own }), guest)).toEqual({ metadata: own })
  })

  test.each([
    ['a document type', '<!DOCTYPE g><g/>'],
    ['an entity that grows', '<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><g><_id>&b;</_id></g>'],
    ['an external entity', '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]><g><_id>&x;</_id></g>'],
    ['an undeclared entity', '<g><_id>&company;</_id></g>'],
    ['an element that does not end', '<g><_id>a</g>'],
    ['no element', 'hello'],
    ['nothing', ''],
    ['two roots', '<g/><g/>'],
    ['a control character', '<g><_id>a\u0000b</_id></g>'],
    ['a reference to a control character', '<g><_id>&#0;</_id></g>'],
    ['an attribute twice', '<g a="1" a="2"/>'],
    ['JSON', '{"a":1}'],
    ['33 levels', '<a>'.repeat(33) + '</a>'.repeat(33)],
    ['100,000 levels', '<a>'.repeat(100_000)],
  ])('%s is malformed', (_what, document) => {
    expect(() => readXml(document, guest)).toThrow(expect.objectContaining({ code: 'malformed' }))
    expect(() => readXml(document, guest)).toThrow(Fault)
  })
})

test('the members beside the declared ones of a record with others are elements as well', () => {
  const contact = asNode(record({ name: text() }, { others: true }))
  const held = { name: 'x', badge_number: '7 & 8', diet: null }
  const document = xmlWriterOf(contact, 'contact', 'contacts')(held)
  expect(document).toBe(
    `${DECLARATION}<contact><name>x</name><badge-number>7 &amp; 8</badge-number><diet nil="true"/></contact>`,
  )
  expect(readXml(document, contact)).toEqual(held)
})
