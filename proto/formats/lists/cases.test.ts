import { expect, test } from 'vitest'
import { GuestColumns } from './guest-columns.ts'
import { GuestListReader } from './guest-list.ts'
import { readList } from './list.ts'
import { splitName, splitReversedName } from './names.ts'
import { foldReference } from './values.ts'

const columns = new GuestColumns([
  'first_name',
  'last_name',
  'email',
  'company_name',
  'position',
  'phone_number',
  'uid',
  'rsvp_status',
])

/** The guests of a file: fields, metadata and what is said about each row. */
async function guestsOf(text: string) {
  const list = await readList(Buffer.from(text), columns)
  const reader = new GuestListReader(columns.of(list.headers), list)
  return { ...list, guests: list.rows.map((row) => reader.read(row)) }
}

/** Their names and addresses. */
async function peopleOf(text: string): Promise<(string | undefined)[][]> {
  const { guests } = await guestsOf(text)
  return guests.map(({ fields: { first_name, last_name, email, company_name } }) => [
    first_name,
    last_name,
    email,
    company_name,
  ])
}

const ZOE = ['Zoé', 'Müller', 'zoe@a.example', 'Café']

test.each([
  ['two marks of joined exports', '\ufeff\ufeffFirst name,Last name,E-mail,Company\nZoé,Müller,zoe@a.example,Café'],
  ['a sep= line', 'sep=;\r\nFirst name;Last name;E-mail;Company\r\nZoé;Müller;zoe@a.example;Café'],
  ['pipes', 'First name|Last name|E-mail|Company\nZoé|Müller|zoe@a.example|Café'],
  ['blank lines above', '\n\r\n;;;\nFirst name;Last name;E-mail;Company\nZoé;Müller;zoe@a.example;Café'],
  ['a title above', 'Guests, all of them\n\nFirst name;Last name;E-mail;Company\nZoé;Müller;zoe@a.example;Café'],
  ['two lines of headers', 'Guest;;Contact;\nFirst name;Last name;E-mail;Company\nZoé;Müller;zoe@a.example;Café'],
  ['line ends in cells', '"First\nname",Last name,E-mail,"Company\n(legal)"\r\nZoé,Müller,zoe@a.example,Café'],
  ['blanks before quotes', '"First name", "Last name", "E-mail", "Company"\n"Zoé", "Müller", "zoe@a.example", "Café"'],
  ['columns of nobody', 'First name,Last name,E-mail,Company,,\nZoé,Müller,zoe@a.example,Café,,\n,,,,,'],
  [
    'what nobody sees',
    'First\u00a0name;\u200bLast name;E-mail\u200b;Company\u00a0\nZoé\u00a0;\u200bMüller;\u00a0zoe@a.example\u200b;Café\u2060',
  ],
  ['the end of a DOS file', 'First name,Last name,E-mail,Company\r\nZoé,Müller,zoe@a.example,Café\r\n\u001a'],
  [
    'additions to headers',
    'Your first name,"Last name, title",E-mail (private),Company / firm\nZoé,Müller,zoe@a.example,Café',
  ],
])('%s', async (_name, text) => {
  expect(await peopleOf(text)).toEqual([ZOE])
})

test('missing cells are empty; surplus ones, a second header and NUL are errors of their rows', async () => {
  const { guests } = await guestsOf('Name,Mail,Code\nLi\nNg,,,\nOe,,,x\nName,Mail,Code\nP\0e,,\n')
  expect(guests.map(({ fields, errors }) => errors?.row?.[0] ?? fields.last_name)).toEqual([
    'Li',
    'Ng',
    'has 4 columns, the header has 3',
    'is the header again',
    'has a character that cannot be stored (NUL)',
  ])
})

test.each([
  ['Name,Company\nMuller,"Cafe\nLund,Bar\n', 2],
  ['Name,Company\nMuller,"Cafe\nLund,"Bar"\nBerg,Baz\n', 2],
  ['Name,Company\nLund,Bar\n"Berg,Baz\n"Oe,"Foo"\n', 3],
  ['Name,Company\n"The Eye" Ada,Lund\nBerg,Baz\n', 2],
])('a quote that is never closed swallows no guest: %j', async (text, line) => {
  await expect(guestsOf(text)).rejects.toThrow(`has a quote in line ${line} that is never closed`)
})

test('stray quotes stay where their line closes them', async () => {
  expect(
    await peopleOf('First name,Last name,Mail,Company\nZoé,M,z@a.example,"Hotel "Ritz" Bar"\nAda "Eye",L,,5" Vinyl'),
  ).toEqual([
    ['Zoé', 'M', 'z@a.example', 'Hotel "Ritz" Bar'],
    ['Ada "Eye"', 'L', undefined, '5" Vinyl'],
  ])
})

test('a first row of a person is no header', async () => {
  const { headerLine, notices, headers, rows } = await guestsOf('Zoé;Müller;zoe@a.example\nAda;Lund;ada@b.example\n')
  expect([headerLine, notices, rows.length]).toEqual([undefined, ['has no header: its columns were guessed'], 2])
  expect(columns.guessed(headers.length, rows)).toEqual(
    ['first_name', 'last_name', 'email'].map((field) => ({ field })),
  )
})

test('what is skipped, empty or garbled is said', async () => {
  const noticesOf = async (text: string) => (await guestsOf(text)).notices
  expect(await noticesOf('Guests of Acme\nName;Mail\nLi;l@x.test')).toEqual([
    'has lines above its header, which are skipped: Guests of Acme',
  ])
  expect(await noticesOf('Name;Mail\n')).toEqual(['has no rows below its header'])
  expect(await noticesOf('Name\nMÃ¼ller\n')).toEqual([
    'has characters that were garbled before the file was saved: MÃ¼ller',
  ])
})

test('codes that a spreadsheet mangled, those that differ by case, and the same person are pointed out', async () => {
  const { guests } = await guestsOf(
    'First name,Name,Mail,Code,Phone\nZoé,Müller,z@a.example,1.23457E+12,3.36123E+10\nZoe,Mueller,Z@a.example,"=""000124""",\nA,,,\'000125,\'+33 6\nB,,,126.0,\nC,,,ab1,\nD,,,AB1,\nE,,,123456789012345000,\n',
  )
  expect(guests.map(({ fields, warnings }) => [fields.uid, warnings])).toEqual([
    [
      '1.23457E+12',
      {
        uid: ['may have lost digits in a spreadsheet: 1.23457E+12'],
        phone_number: ['may have lost digits in a spreadsheet: 3.36123E+10'],
      },
    ],
    ['000124', { row: ['is the same person as line 2'] }],
    ['000125', {}],
    ['126.0', { uid: ['may have lost digits in a spreadsheet: 126.0'] }],
    ['ab1', {}],
    ['AB1', { uid: ['differs from ab1 in line 6 only by case'] }],
    ['123456789012345000', { uid: ['may have lost digits in a spreadsheet: 123456789012345000'] }],
  ])
  expect(guests[2]?.fields.phone_number).toBe('+33 6')
})

const field = (name: string) => ({ field: name })
const metadata = (name: string) => ({ metadata: name })

test('a status of another system is further information', () => {
  const withStatus = new GuestColumns(['last_name', 'status'])
  const of = (...words: string[]) =>
    withStatus.of(
      ['Name', 'Status'],
      undefined,
      words.map((word, index) => ({ line: index + 2, cells: ['Li', word] })),
    )[1]
  expect(of('Paid', '', 'Pending')).toEqual(metadata('Status'))
  expect([of('', 'registered', 'Paid'), of(''), of()]).toEqual(Array(3).fill(field('status')))
})

test('line ends within a cell are blanks, but in further information, messages and codes', async () => {
  const { guests } = await guestsOf(
    'Name,Company,"Table\r\nno",Code\n"Van \r\nder\tBerg","A\v\nB","7\nby the door","a\nb"\n',
  )
  expect(guests).toMatchObject([
    {
      fields: { last_name: 'Van der Berg', company_name: 'A B', uid: 'a\nb' },
      metadata: [{ name: 'Table no', value: '7\nby the door' }],
    },
  ])
})

test.each([
  [
    'pretix',
    'Order code;Attendee name;Attendee name: Given name;Attendee name: Family name;Product;Secret;E-mail;Company',
    [
      metadata('Order code'),
      { leftOut: true },
      field('first_name'),
      field('last_name'),
      field('guest_category'),
      field('uid'),
      field('email'),
      field('company_name'),
    ],
  ],
  [
    'Eventbrite',
    'Order #;First Name;Surname;Email;Ticket Type;Attendee #;Barcode #;Attendee Status;Cell Phone',
    [
      metadata('Order #'),
      field('first_name'),
      field('last_name'),
      field('email'),
      field('guest_category'),
      metadata('Attendee #'),
      field('uid'),
      field('rsvp_status'),
      field('phone_number'),
    ],
  ],
  [
    'ti.to',
    'Number;Ticket;Ticket Full Name;Ticket First Name;Ticket Last Name;Ticket Email;Ticket Company Name;Ticket Reference',
    [
      metadata('Number'),
      field('guest_category'),
      { leftOut: true },
      field('first_name'),
      field('last_name'),
      field('email'),
      field('company_name'),
      field('uid'),
    ],
  ],
  [
    'Hi.Events',
    'ID;First Name;Last Name;Email;Status;Is Checked In;Product ID;Product Name;Public ID;Short ID',
    [
      { leftOut: true },
      field('first_name'),
      field('last_name'),
      field('email'),
      metadata('Status'),
      metadata('Is Checked In'),
      metadata('Product ID'),
      field('guest_category'),
      field('uid'),
      metadata('Short ID'),
    ],
  ],
  [
    'eventyay',
    'Ticket ID;Order#;First Name;Last Name;Email;Ticket Name;Ticket Type;Status',
    [
      field('uid'),
      metadata('Order#'),
      field('first_name'),
      field('last_name'),
      field('email'),
      field('guest_category'),
      metadata('Ticket Type'),
      metadata('Status'),
    ],
  ],
  [
    'Google Forms',
    'Timestamp;Email Address;Full name;Will you attend?;Title',
    [metadata('Timestamp'), field('email'), field('full_name'), field('rsvp_status'), metadata('Title')],
  ],
  [
    'Meetup',
    'Name;User ID;Title;Event Host;RSVP;Guests;RSVPed on',
    [
      field('last_name'),
      metadata('User ID'),
      metadata('Title'),
      metadata('Event Host'),
      field('rsvp_status'),
      metadata('Guests'),
      metadata('RSVPed on'),
    ],
  ],
])('the columns of %s', (_system, headers, expected) => {
  expect(columns.of(headers.split(';'))).toEqual(expected)
})

test.each([
  ['Ada Lund', 'Ada', 'Lund'],
  ['Ludwig van Beethoven', 'Ludwig', 'van Beethoven'],
  ['Lund, Ada Maria', 'Ada Maria', 'Lund'],
  ['Madonna', undefined, 'Madonna'],
  ['Ada\u00a0Lund', 'Ada', 'Lund'],
])('the full name %j', (name, first_name, last_name) => {
  const expected = { ...(first_name && { first_name }), last_name }
  expect(splitName(name)).toEqual(expected)
})

test('a name that begins with the last one is split there', () => {
  expect(splitReversedName('山田　太郎')).toEqual({ first_name: '太郎', last_name: '山田' })
  expect(splitReversedName('de la Cruz Ana')).toEqual({ first_name: 'Ana', last_name: 'de la Cruz' })
})

test('replies are understood as people write them; others stay', async () => {
  const words = ['Accepted', 'yes', 'Oui', 'Zugesagt', 'DECLINED', 'Not Attending', 'No reply', 'perhaps']
  const { guests } = await guestsOf(['Name,RSVP', ...words.map((word) => `Li,${word}`)].join('\n'))
  expect(guests.map(({ fields }) => fields.rsvp_status)).toEqual([
    ...Array(4).fill('accepted'),
    ...Array(2).fill('declined'),
    'not_replied',
    'perhaps',
  ])
})

test('names of categories are compared as people see them', () => {
  expect(new Set(['VIP', ' vip', 'V\u200bIP', 'ＶＩＰ', 'VIP\u00a0'].map(foldReference)).size).toBe(1)
})
