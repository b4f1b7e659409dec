// @module-tag slow
import { readFile } from 'node:fs/promises'
import { textRow, xlsxOf } from '@gatehouse/proto/formats/lists/testing/workbooks.ts'
import { printed } from '@gatehouse/test/harness/command-line.ts'
import { describe, expect, test } from 'vitest'
import { contentsOf, makeEvent, makePoint, run, scan, system, written } from './testing/ticket-event.ts'

describe('Eventbrite', () => {
  const header =
    'Order #,Order Date,First Name,Last Name,Email,Quantity,Price Tier,Ticket Type,Attendee #,Barcode #,Attendee Status,Cell Phone,Company,Job Title,Check-In Date,Are you vegan?'

  test('attendees come in with their barcodes, but for refunded and deleted ones', async () => {
    const event = await makeEvent()
    const file = [
      header,
      '1001,2026-04-01,Ida,Invent,ida@example.test,1,,VIP,5001,10010001,Checked In,+49301,Fiction Ltd,Author,"May 4, 2026 6:05 PM",Yes',
      '1002,2026-04-01,Otto,Erdacht,otto@example.test,1,,Early bird,5002,10020001,Attending,,,,,',
      '1003,2026-04-01,Gil,Gone,gil@example.test,1,,VIP,5003,10030001,Refunded,,,,,',
      '1004,2026-04-01,Del,Eted,del@example.test,1,,VIP,5004,10040001,Deleted,,,,,',
      '1005,2026-04-01,Odd,Status,odd@example.test,1,,VIP,5005,10050001,Levitating,,,,,',
    ].join('\n')
    const { code, out, err } = await run('eventbrite', { 'attendees.csv': file }, { event })
    expect([code, out]).toEqual([
      1,
      ['2 imported, 0 already there, 1 bad, 2 cancelled', '1 check-in imported, 0 already there'],
    ])
    expect(err).toContain('line 6: Attendee Status: "Levitating" is unknown')
    const { guests, checkIns, fields, categories } = await contentsOf(event)
    expect([fields, categories]).toEqual([['Are you vegan?'], ['Early bird', 'VIP']])
    expect(guests[0]).toMatchObject({ uid: '10010001', first_name: 'Ida', category: 'VIP' })
    expect(checkIns).toEqual(['10010001 2026-05-04T16:05:00.000Z 0'])
    expect(await scan(event, '10020001')).toBe(0)
  })

  test('orders without barcodes become parties with new codes, once', async () => {
    const event = await makeEvent()
    const file = [
      'Order #,Order Date,First Name,Last Name,Email,Quantity,Total Paid,Order Status,Promo Code',
      '2001,2026-04-01,Ana,Fiction,ana@example.test,3,60.00,Completed,EARLY',
      '2002,2026-04-01,Max,Made,max@example.test,2,40.00,Refunded/Canceled,',
    ].join('\n')
    const first = await run('eventbrite', { 'orders.csv': file }, { event, category: 'Guests' })
    expect([first.code, first.out]).toEqual([
      0,
      [
        '1 imported, 0 already there, 0 bad, 1 cancelled',
        '1 guest without a code in the file: printed tickets do not let them in',
      ],
    ])
    const before = await contentsOf(event)
    expect(before.guests).toMatchObject([
      { last_name: 'Fiction', category: 'Guests', answers: { 'Promo Code': 'EARLY' } },
    ])
    expect((await run('eventbrite', { 'orders.csv': file }, { event, category: 'Guests' })).out).toEqual([
      '0 imported, 1 already there, 0 bad, 1 cancelled',
    ])
    expect(await contentsOf(event)).toEqual(before)
  })

  test('--at is the time of check-ins that have none', async () => {
    const event = await makeEvent()
    const file = `${header}\n1001,,Ida,Invent,ida@example.test,1,,VIP,5001,10010001,Checked In,,,,,\n`
    const without = await run('eventbrite', { 'a.csv': file }, { event })
    expect(without.out[1]).toBe('1 ticket was checked in, but the file does not say when: --at gives a time')
    const { out } = await run('eventbrite', { 'a.csv': file }, { event, at: '2026-05-04 20:00:00' })
    expect(out).toEqual(['0 imported, 1 already there, 0 bad', '1 check-in imported, 0 already there'])
    expect((await contentsOf(event)).checkIns).toEqual(['10010001 2026-05-04T18:00:00.000Z 0'])
  })
})

test('Hi.Events: attendees come in with their public ids and check-ins in UTC, promo codes as discount codes', async () => {
  const event = await makeEvent()
  const attendees = [
    'ID,First Name,Last Name,Email,Status,Is Checked In,Checked In At,Product Name,Event ID,Public ID,Short ID,Created Date,Last Updated Date,Diet',
    '1,Ida,Invent,ida@example.test,ACTIVE,Yes,2026-05-04 16:05:06,Regular,9,A-PUBLIC1,a_1,2026-04-01 10:00:00,2026-04-01 10:00:00,vegan',
    '2,Otto,Erdacht,otto@example.test,CANCELLED,No,,Regular,9,A-PUBLIC2,a_2,2026-04-01 10:00:00,2026-04-01 10:00:00,',
    '3,Una,Paid,una@example.test,AWAITING_PAYMENT,No,,Regular,9,A-PUBLIC3,a_3,2026-04-01 10:00:00,2026-04-01 10:00:00,',
  ].join('\n')
  const codes = [
    'ID,Code,Discount,Discount Type,Max Allowed Uses,Expiry Date,Event ID,Created At,Updated At',
    '1,TENTH,10,PERCENTAGE,5,2026-06-30 21:59:00,9,2026-04-01,2026-04-01',
    '2,FIVER,5,FIXED,,,9,2026-04-01,2026-04-01',
  ].join('\n')
  const { code, out } = await run('hi-events', { 'attendees.csv': attendees, 'codes.csv': codes }, { event })
  expect([code, out]).toEqual([
    0,
    [
      'attendees.csv: attendees',
      '1 imported, 0 already there, 0 bad, 1 cancelled, 1 unpaid',
      '1 check-in imported, 0 already there',
      'codes.csv: promo codes',
      '2 imported, 0 already there, 0 bad',
    ],
  ])
  const found = await contentsOf(event)
  expect(found.guests).toMatchObject([{ uid: 'A-PUBLIC1', category: 'Regular', answers: { Diet: 'vegan' } }])
  expect(found.checkIns).toEqual(['A-PUBLIC1 2026-05-04T16:05:06.000Z 0'])
  expect(found.codes).toMatchObject([
    { text: 'FIVER', amount: 5, percentage_of_total: false, max_usage: -1, end_date: null },
    { text: 'TENTH', amount: 0.1, percentage_of_total: true, max_usage: 5, end_date: '2026-06-30T21:59:00.000Z' },
  ])
})

describe('Tito', () => {
  const header =
    'Number,Ticket Created Date,Ticket,Ticket Full Name,Ticket First Name,Ticket Last Name,Ticket Email,Ticket Company Name,Ticket Phone Number,Event,Void Status,Price,Ticket Reference,Tags,Unique Ticket URL,Order Reference,Order Name,Order Email,T-shirt size'

  test('tickets come in with the slug of their page, and void ones do not', async () => {
    const event = await makeEvent()
    const file = [
      header,
      '1,2026-04-01,Speaker,Ida Invent,Ida,Invent,ida@example.test,Fiction Ltd,,Fair,,0,ABCD-1,,https://ti.to/tickets/ti_slug1,ABCD,Bea Buyer,bea@example.test,M',
      '2,2026-04-01,Regular,,,,,,,Fair,,9,ABCD-2,,https://ti.to/tickets/ti_slug2,ABCD,Bea Buyer,bea@example.test,',
      '3,2026-04-01,Regular,Gil Gone,Gil,Gone,gil@example.test,,,Fair,true,9,ABCD-3,,https://ti.to/tickets/ti_slug3,ABCD,Bea Buyer,bea@example.test,',
    ].join('\n')
    const { code, out } = await run('tito', { 'tickets.csv': file }, { event })
    expect([code, out]).toEqual([0, ['2 imported, 0 already there, 0 bad, 1 cancelled']])
    const { guests } = await contentsOf(event)
    expect(guests).toMatchObject([
      { uid: 'ti_slug1', last_name: 'Invent', category: 'Speaker', answers: { 'T-shirt size': 'M' } },
      { uid: 'ti_slug2', last_name: 'Buyer', email: 'bea@example.test', category: 'Regular' },
    ])
  })

  test('--map chooses another column as the code', async () => {
    const event = await makeEvent()
    const file = `${header}\n1,,Speaker,Ida Invent,,,,,,Fair,,0,ABCD-1,,https://ti.to/tickets/ti_slug1,ABCD,,,\n`
    await run('tito', { 'tickets.csv': file }, { event, map: new Map([['Ticket Reference', 'code']]) })
    expect((await contentsOf(event)).guests).toMatchObject([{ uid: 'ABCD-1' }])
  })
})

test('bad rows can be corrected in the file that --errors writes, and imported', async () => {
  const event = await makeEvent()
  const [tickets = '', errors = ''] = await written({
    'a.csv':
      'Order code,Position ID,Status,Product,Attendee name,Ticket secret\nA,1,paid,Regular,Ida,s1\nA,2,hm,Regular,Otto,s2\n',
    'bad.csv': '',
  })
  const { code, out } = await run('pretix', [tickets], { event, errors })
  expect([code, out]).toEqual([1, ['1 imported, 0 already there, 1 bad']])
  const mended = (await readFile(errors, 'utf8')).replace(',hm,', ',paid,')
  expect((await run('pretix', { 'mended.csv': mended }, { event })).out).toEqual(['1 imported, 0 already there, 0 bad'])
  expect((await contentsOf(event)).fields).toEqual([])
})

test('of a workbook of order data the sheet of positions is read', async () => {
  const event = await makeEvent()
  const workbook = await xlsxOf({
    Orders: textRow('Order code', 'Order total', 'Status') + textRow('A', '9.00', 'paid'),
    'Order positions':
      textRow('Order code', 'Position ID', 'Status', 'Product', 'Attendee name', 'Ticket secret') +
      textRow('A', '1', 'paid', 'Regular', 'Ida Invent', 's1'),
  })
  const { out, err } = await run('pretix', { 'orders.xlsx': Buffer.from(workbook) }, { event })
  expect(out).toEqual(['1 imported, 0 already there, 0 bad'])
  expect(err).toContain('sheet Order positions')
})

describe('an event that was set up before', () => {
  const file =
    'Order code,Position ID,Status,Product,Attendee name,Ticket secret,Checked in\nA,1,paid,VISITOR,Ida Invent,s1,2026-05-04 18:00:00\n'

  test('has its categories matched by name; where these may not enter, check-ins wait for the right', async () => {
    const event = await makeEvent()
    const point = await makePoint(event)
    const made = await system.api('POST', `events/${event}/guest_categories.json`, { name: 'Visitor' })
    const first = await run('pretix', { 'a.csv': file }, { event })
    expect([first.code, first.out]).toEqual([0, ['1 imported, 0 already there, 0 bad']])
    expect(first.err).toContain(
      'Look at line 2: The check-in stays out. "Visitor" may not enter "Door": give it a right there, and import the file again',
    )
    const link = { guest_category_id: made.body._id, accesspoint_id: point }
    await system.api('POST', `events/${event}/guest_category_accesspoints.json`, link)
    expect((await run('pretix', { 'a.csv': file }, { event })).out[1]).toBe('1 check-in imported, 0 already there')
    expect((await contentsOf(event)).categories).toEqual(['Visitor'])
  })

  test('has to name the check-in point if there are several, unless check-ins stay out', async () => {
    const event = await makeEvent()
    for (const name of ['Door', 'Side']) await makePoint(event, name)
    await expect(run('pretix', { 'a.csv': file }, { event })).rejects.toThrow(
      'say where these tickets were checked in: --point names the place',
    )
    expect((await run('pretix', { 'a.csv': file }, { event, checkIns: false })).out).toEqual([
      '1 imported, 0 already there, 0 bad',
      '1 new guest category may enter nowhere yet: give them rights',
    ])
    expect((await run('pretix', { 'a.csv': file }, { event, point: 'Side' })).err).toContain('may not enter "Side"')
  })
})

test('a plan says what would come, and writes nothing', async () => {
  const event = await makeEvent()
  const file = [
    'Order code,Position ID,Status,Product,Attendee name,Ticket secret,Checked in,Diet',
    'A,1,paid,Regular,Ida Invent,s1,2026-05-04 18:00:00,vegan',
    'A,2,paid,Regular,Otto Erdacht,s1,,',
    'A,3,paid,Regular,Una Made,s3,04/05/2026 18:00,',
    'A,4,paid,Regular,Eve Mail,s4,,',
  ].join('\n')
  const { code, out, err } = await run('pretix', { 'a.csv': file }, { event, dryRun: true })
  expect([code, out]).toEqual([
    1,
    ['2 would be imported, 0 already there, 2 bad', '1 check-in would be imported, 0 already there'],
  ])
  for (const line of [
    'check-in point "Entrance" would be created',
    'guest category "Regular" would be created',
    'guest field "Diet" would be created',
    'line 3: Code s1 is also in line 2',
    'line 4: Checked in: "04/05/2026" may be two days: say with --dates dmy or --dates mdy which one',
  ]) {
    expect(err).toContain(line)
  }
  expect(await contentsOf(event)).toEqual({ categories: [], guests: [], checkIns: [], fields: [], codes: [] })
})

test('the command takes files and options, and --plan as --dry-run', async () => {
  const event = await makeEvent()
  const [file = ''] = await written({
    'a.csv':
      'Order code,Position ID,Status,Product,Attendee name,Ticket secret,Checked in\nA,1,paid,Regular,Ida,s1,2026-05-04 18:00:00\nA,2,paid,Mug,Ida,s2,\nA,3,pending,Regular,Otto,s3,\n',
  })
  const gatehouse = (...more: string[]): Promise<string> =>
    printed(
      system,
      'import',
      'pretix',
      file,
      '--event',
      event,
      '--without',
      'Mug',
      '--unpaid',
      '--no-check-ins',
      ...more,
    )
  expect(await gatehouse('--plan')).toBe('2 would be imported, 0 already there, 0 bad, 1 of other kinds\n')
  expect(await gatehouse()).toBe('2 imported, 0 already there, 0 bad, 1 of other kinds\n')
  expect((await contentsOf(event)).checkIns).toEqual([])
})
