import { describe, expect, test } from 'vitest'
import { stateOf } from '../statuses.ts'
import { eventbrite } from './eventbrite.ts'
import { hiEvents } from './hi-events.ts'
import { type FieldColumn, fieldColumns, kindOf, type TicketSystem, valuesOf } from './kinds.ts'
import { pretix } from './pretix.ts'
import { tito } from './tito.ts'

describe('a file is known by its headers', () => {
  test.each<[system: TicketSystem, headers: string, title: string]>([
    [pretix, 'Event slug;Order code;Position ID;Status;Email;Product;Attendee name', 'tickets'],
    [pretix, 'Kurzname der Veranstaltung;Bestellnummer;Position;Status;E-Mail;Produkt', 'tickets'],
    [pretix, 'Order code;Attendee name;Product;Price;Checked in;Checked out;Voucher code', 'tickets'],
    [pretix, 'Date;Time;Check-in list;Scan type;Order code;Position ID;Secret;Product', 'check-in log'],
    [pretix, 'Datum;Uhrzeit;Check-in-Liste;Scan-Typ;Bestellnummer;Position;Secret;Produkt', 'check-in log'],
    [pretix, 'Voucher code;Valid until;Product;Reserve quota;Bypass quota;Price effect;Redeemed', 'vouchers'],
    [pretix, 'Gutscheincode;Gültig bis;Produkt;Wert;Eingelöst', 'vouchers'],
    [eventbrite, 'Order #;Order Date;First Name;Ticket Type;Attendee #;Barcode #;Attendee Status', 'attendees'],
    [eventbrite, 'Order no.;Attendee Status;Ticket Type', 'attendees'],
    [eventbrite, 'Order #;Order Date;First Name;Last Name;Email;Quantity;Total Paid;Order Status', 'orders'],
    [hiEvents, 'ID;First Name;Status;Is Checked In;Checked In At;Ticket ID;Public ID;Short ID', 'attendees'],
    [hiEvents, 'ID;Code;Discount;Discount Type;Max Allowed Uses', 'promo codes'],
    [tito, 'Number;Ticket;Ticket Full Name;Void Status;Ticket Reference', 'tickets'],
  ])('$0.title: %s', (system, headers, title) => {
    expect(kindOf(system, headers.split(';'))?.title).toBe(title)
  })

  test('an order list without tickets is none', () => {
    expect(kindOf(pretix, ['Event slug', 'Order code', 'Order total', 'Status'])).toBeUndefined()
  })
})

/** What a row with its headers as values says. */
function meanings(system: TicketSystem, headers: string[]): Record<string, string> {
  const kind = kindOf(system, headers)
  if (kind?.what !== 'tickets') throw new Error('These are no headers of tickets')
  return valuesOf(headers, fieldColumns(kind, headers, new Map()) as FieldColumn<'code'>[])
}

test('columns are known in English and German; the name of the buyer counts where the ticket has none', () => {
  const english = [
    'Order code,Position ID,Status,Product,Attendee name,Attendee name: Given name,Attendee name: Family name',
    'Attendee email,Company,Ticket secret,Invoice address name,Invoice address name: Given name,Price,Diet',
  ]
  expect(meanings(pretix, english.join(',').split(','))).toEqual({
    ...{ order: 'Order code', number: 'Position ID', status: 'Status', category: 'Product', code: 'Ticket secret' },
    ...{ first_name: 'Attendee name: Given name', last_name: 'Attendee name: Family name', full_name: 'Attendee name' },
    ...{ email: 'Attendee email', company_name: 'Company', answer: 'Diet', '-': 'Invoice address name: Given name' },
  })
  const german = [
    'Bestellnummer,Position,Status,E-Mail,Telefonnummer,Produkt,Variante,Name Teilnehmer*in',
    'Name Teilnehmer*in: Vorname,Name Teilnehmer*in: Nachname,E-Mail Teilnehmer*in,Firma,Gutschein',
  ]
  expect(meanings(pretix, german.join(',').split(','))).toMatchObject({
    ...{ order: 'Bestellnummer', number: 'Position', email: 'E-Mail Teilnehmer*in', phone_number: 'Telefonnummer' },
    ...{ category: 'Produkt', variation: 'Variante', full_name: 'Name Teilnehmer*in', company_name: 'Firma' },
    ...{ first_name: 'Name Teilnehmer*in: Vorname', last_name: 'Name Teilnehmer*in: Nachname', note: 'Gutschein' },
  })
})

describe('a status says whether a ticket is valid, cancelled or unpaid', () => {
  test.each([
    ['paid', 'valid'],
    ['Bezahlt', 'valid'],
    ['Checked In', 'valid'],
    ['Partially Refunded', 'valid'],
    ['incomplete', 'valid'],
    ['canceled (paid fee)', 'cancelled'],
    ['storniert', 'cancelled'],
    ['Refunded/Canceled', 'cancelled'],
    ['Not Attending', 'cancelled'],
    ['CANCELLED', 'cancelled'],
    ['pending (overdue)', 'unpaid'],
    ['abgelaufen', 'unpaid'],
    ['AWAITING_PAYMENT', 'unpaid'],
    ['levitating', undefined],
  ])('%s', (status, state) => expect(stateOf(status)).toBe(state))
})
