// @module-tag slow
import { expect, test } from 'vitest'
import { contentsOf, makeEvent, makePoint, run, scan, system } from './testing/ticket-event.ts'

const positions = [
  'Event slug,Order code,Position ID,Status,Email,Phone number,Order date,Order time,Product,Variation,Price,Attendee name,Attendee name: Given name,Attendee name: Family name,Attendee email,Company,Voucher,Pseudonymization ID,Ticket secret,Shoe size,Company,Invoice address name',
  'fair,AAAAA,1,paid,buyer@example.test,+49301,2026-04-01,10:00:00,Regular,Student,5.00,Ida Invent,Ida,Invent,ida@example.test,,,PSEUDO1,secret-1,38,Fiction Ltd,Bea Buyer',
  'fair,AAAAA,2,paid,buyer@example.test,+49301,2026-04-01,10:00:00,Regular,,9.00,,,,,,EARLY,PSEUDO2,secret-2,,Fiction Ltd,Bea Buyer',
  'fair,BBBBB,1,canceled,gone@example.test,,2026-04-01,10:00:00,Regular,,9.00,Gil Gone,Gil,Gone,,,,PSEUDO3,secret-3,,,',
  'fair,CCCCC,1,pending,late@example.test,,2026-04-01,10:00:00,Regular,,9.00,Lou Late,Lou,Late,,,,PSEUDO4,secret-4,,,',
  'fair,DDDDD,1,paid,shop@example.test,,2026-04-01,10:00:00,T-shirt,,9.00,Sam Shirt,Sam,Shirt,,,,PSEUDO5,secret-5,,,',
].join('\n')

test('paid tickets become guests whose secrets open the door, and answers become guest fields', async () => {
  const event = await makeEvent()
  const { code, out, err } = await run('pretix', { 'orders.csv': positions }, { event, without: ['t-shirt'] })
  expect([code, out]).toEqual([0, ['2 imported, 0 already there, 0 bad, 1 cancelled, 1 unpaid, 1 of other kinds']])
  expect(err).toMatch(/Price\s+\(left out\)/)
  const { categories, guests, fields } = await contentsOf(event)
  expect([categories, fields]).toEqual([['Regular', 'Regular – Student'], ['Shoe size']])
  expect(guests).toEqual([
    {
      ...{ uid: 'secret-1', first_name: 'Ida', last_name: 'Invent', email: 'ida@example.test' },
      ...{ category: 'Regular – Student', answers: { 'Shoe size': '38' } },
    },
    {
      ...{ uid: 'secret-2', first_name: 'Bea', last_name: 'Buyer', email: 'buyer@example.test' },
      ...{ category: 'Regular', answers: { Voucher: 'EARLY' } },
    },
  ])
  expect([await scan(event, 'secret-1'), await scan(event, 'secret-1')]).toEqual([0, 3])
})

test('--unpaid brings in tickets that are not paid', async () => {
  const event = await makeEvent()
  const { out } = await run('pretix', { 'orders.csv': positions }, { event, unpaid: true })
  expect(out).toEqual(['4 imported, 0 already there, 0 bad, 1 cancelled'])
})

const checkInList = [
  'Bestellnummer;Name Teilnehmer*in;Teilnehmer*innenname: Vorname;Teilnehmer*innenname: Nachname;Produkt;Preis;Eingecheckt;Ausgetreten;Automatisch eingecheckt;Secret;E-Mail;Telefonnummer;Firma;Gutscheincode;Bestelldatum',
  'AAAAA;Ida Invent;Ida;Invent;Regulär;5,00;04.05.2026 18:05;;Nein;secret-1;ida@example.test;;;;2026-04-01',
  'AAAAA;Otto Erdacht;Otto;Erdacht;Regulär;5,00;;;Nein;secret-2;otto@example.test;;Firma GmbH;;2026-04-01',
].join('\n')

test('check-ins of a list come in at their times, and running it again changes nothing', async () => {
  const event = await makeEvent()
  const first = await run('pretix', { 'list.csv': checkInList }, { event })
  expect([first.code, first.out]).toEqual([
    0,
    ['2 imported, 0 already there, 0 bad', '1 check-in imported, 0 already there'],
  ])
  const before = await contentsOf(event)
  expect(before.checkIns).toEqual(['secret-1 2026-05-04T16:05:00.000Z 0'])
  expect(before.guests[1]).toMatchObject({ first_name: 'Otto', last_name: 'Erdacht', category: 'Regulär' })
  const again = await run('pretix', { 'list.csv': checkInList }, { event })
  expect(again.out).toEqual(['0 imported, 2 already there, 0 bad', '0 check-ins imported, 1 already there'])
  expect(await contentsOf(event)).toEqual(before)
})

test('guests of an earlier file stay as they are, and get the check-ins of a later one', async () => {
  const event = await makeEvent()
  await run('pretix', { 'orders.csv': positions }, { event, without: ['T-shirt'] })
  const { out } = await run('pretix', { 'list.csv': checkInList }, { event })
  expect(out).toEqual(['0 imported, 2 already there, 0 bad', '1 check-in imported, 0 already there'])
  const { guests, categories } = await contentsOf(event)
  expect(guests[1]).toMatchObject({ uid: 'secret-2', last_name: 'Buyer' })
  expect(categories).toEqual(['Regular', 'Regular – Student'])
})

/** Order data in JSON, with things that are no tickets. */
function orderData(orders: object[]): string {
  return JSON.stringify({
    event: {
      name: 'Fair',
      organizer: { name: 'Org "X" [{', slug: 'org' },
      meta_data: {},
      categories: [{ id: 1, name: 'Tickets' }],
      items: [
        { id: 7, name: 'Regular', admission: true, variations: [{ id: 70, name: 'Student' }] },
        { id: 8, name: 'Mug', admission: false, variations: [] },
      ],
      questions: [{ id: 3, question: 'Shoe size?', type: 'N' }],
      orders,
      quotas: [{ id: 1, size: null, items: [7], variations: [] }],
    },
  })
}

test('order data in JSON has tickets, answers and check-ins; products that admit nobody and test orders stay out', async () => {
  const event = await makeEvent()
  const position = { positionid: 1, item: 7, variation: 70, attendee_name: 'Ida Invent', secret: 'json-1', answers: [] }
  const file = orderData([
    {
      ...{ code: 'AAAAA', status: 'p', testmode: false, email: 'buyer@example.test', phone: 'None' },
      positions: [
        {
          ...position,
          answers: [{ question: 3, answer: '38 "wide" {x}' }],
          checkins: [
            { type: 'entry', datetime: '2026-05-04T16:05:06.789Z' },
            { type: 'exit', datetime: '2026-05-04T17:00:00Z' },
          ],
        },
        { ...position, positionid: 2, item: 8, variation: null, secret: 'mug' },
      ],
    },
    { code: 'BBBBB', status: 'c', positions: [{ ...position, secret: 'json-2' }] },
    { code: 'CCCCC', status: 'p', testmode: true, positions: [{ ...position, secret: 'json-3' }] },
  ])
  const { code, out } = await run('pretix', { 'data.json': file }, { event })
  expect([code, out]).toEqual([
    0,
    ['1 imported, 0 already there, 0 bad, 1 cancelled', '1 check-in imported, 0 already there'],
  ])
  const { guests, checkIns } = await contentsOf(event)
  expect(guests).toEqual([
    {
      ...{ uid: 'json-1', first_name: 'Ida', last_name: 'Invent', email: 'buyer@example.test' },
      ...{ category: 'Regular – Student', answers: { 'Shoe size?': '38 "wide" {x}' } },
    },
  ])
  expect(checkIns).toEqual(['json-1 2026-05-04T16:05:06.789Z 0'])
  await expect(run('pretix', { 'other.json': '{"a": [1]}' }, { event })).rejects.toThrow('not order data of pretix')
})

const vouchers = [
  '"Voucher code","Valid until","Product","Reserve quota","Bypass quota","Price effect","Value","Tag","Redeemed","Maximum usages","Seat"',
  '"PERCENT","2026-06-30T23:59:00+02:00","Any product","No","No","Reduce product price by (%)","25.00","press","3","10",""',
  '"MINUS","","Any product","No","No","Subtract from product price","5.50","","0","1",""',
  '"SET","","Regular","No","No","Set product price to","1.00","","2","2",""',
].join('\n')

test('vouchers become discount codes for the uses that are left, once', async () => {
  const event = await makeEvent()
  const first = await run('pretix', { 'vouchers.csv': vouchers }, { event })
  expect([first.code, first.out]).toEqual([0, ['3 imported, 0 already there, 0 bad']])
  expect(first.err).toContain('Look at line 4: It sets a price of 1.00 there, which a code here cannot')
  const before = await contentsOf(event)
  const none = { percentage_of_total: false, end_date: null, label: null }
  expect(before.codes).toEqual([
    { ...none, text: 'MINUS', amount: 5.5, max_usage: 1 },
    {
      ...{ text: 'PERCENT', amount: 0.25, percentage_of_total: true, max_usage: 7 },
      ...{ end_date: '2026-06-30T21:59:00.000Z', label: 'press; 3 used in pretix' },
    },
    { ...none, text: 'SET', amount: 0, max_usage: 0, label: '2 used in pretix' },
  ])
  expect((await run('pretix', { 'vouchers.csv': vouchers }, { event })).out).toEqual([
    '0 imported, 3 already there, 0 bad',
  ])
  expect(await contentsOf(event)).toEqual(before)
})

test('vouchers that cannot be read are reported by line and column', async () => {
  const event = await makeEvent()
  const file =
    'Voucher code,Valid until,Price effect,Value,Redeemed,Maximum usages\nA,soon,No effect,cheap,often,2\n,,,,,\nB,,No effect,,,1\n'
  const { code, out, err } = await run('pretix', { 'vouchers.csv': file }, { event })
  expect([code, out]).toEqual([1, ['1 imported, 0 already there, 1 bad']])
  expect(err).toContain('line 2: Redeemed: is not a whole number; Value: is not a number; Valid until: "soon')
})

test('several files go in with guests first, also if they were named last', async () => {
  const event = await makeEvent()
  await makePoint(event, 'Main gate')
  const log = [
    'Date,Time,Check-in list,Scan type,Order code,Position ID,Secret,Product,Name,Device,Offline,Offline override,Automatically checked in,Gate,Result,Error message,Upload date,Upload time',
    '2026-05-04,18:05:00,Main gate,Entry,AAAAA,1,secret-1,Regular,Ida Invent,Phone,No,No,No,,OK,,2026-05-04,18:05:01',
    '2026-05-04,18:06:00,Main gate,Entry,AAAAA,1,secret-1,Regular,Ida Invent,Phone,No,No,No,,Ticket already used,,2026-05-04,18:06:01',
  ].join('\n')
  const files = { 'log.csv': log, 'vouchers.csv': vouchers, 'orders.csv': positions }
  const { code, out } = await run('pretix', files, { event, without: ['T-shirt'] })
  expect([code, out]).toEqual([
    0,
    [
      'orders.csv: tickets',
      '2 imported, 0 already there, 0 bad, 1 cancelled, 1 unpaid, 1 of other kinds',
      'vouchers.csv: vouchers',
      '3 imported, 0 already there, 0 bad',
      'log.csv: check-in log',
      '1 imported, 0 already there, 0 bad, 1 refused',
    ],
  ])
  expect((await contentsOf(event)).checkIns).toEqual(['secret-1 2026-05-04T16:05:00.000Z 0'])
})

test('a ticket that is cancelled since is pointed out, and its guest stays', async () => {
  const event = await makeEvent()
  const header = 'Order code,Position ID,Status,Product,Attendee name,Ticket secret'
  await run('pretix', { 'a.csv': `${header}\nA,1,paid,Regular,Ida Invent,s1\n` }, { event })
  const { out, err } = await run(
    'pretix',
    { 'b.csv': `${header}\nA,1,canceled (paid fee),Regular,Ida Invent,s1\n` },
    { event },
  )
  expect(out).toEqual(['0 imported, 0 already there, 0 bad, 1 cancelled'])
  expect(err).toContain('Look at line 2: It is cancelled there, but its guest is here')
  expect((await contentsOf(event)).guests).toHaveLength(1)
})

test('a file that the system does not export is refused in one sentence', async () => {
  const event = await makeEvent()
  await expect(run('pretix', { 'list.csv': 'Colour,Size\nred,1\n' }, { event })).rejects.toThrow(
    'list.csv is no export of pretix that is known. Known are: order data',
  )
  expect(await system.api('GET', `events/${event}/guest_categories.json`)).toMatchObject({ body: [] })
})
