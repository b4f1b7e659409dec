import { foldColumnName } from './column-names.ts'

/** The columns of another system's export, by their headers as `foldColumnName` folds them. */
interface Preset {
  /** Headers that together no other system has. */
  signs: readonly (readonly string[])[]
  /** Of several headers with one meaning the first is taken, and the others are further information. */
  columns: Readonly<Record<string, string>>
}

const TIMESTAMPS =
  'timestamp zeitstempel horodateur marcatemporal carimbodedatahora informazionicronologiche tijdstempel sygnaturaczasowa tidstampel タイムスタンフ'

/** The systems whose exports are known. A ticket's kind is a category, its reference the code. */
const presets: Readonly<Record<string, Preset>> = {
  pretix: {
    signs: [
      ['ordercode', 'product'],
      ['ordercode', 'positionid'],
      ['bestellnummer', 'produkt'],
    ],
    columns: {
      ticketsecret: 'uid',
      secret: 'uid',
      geheimnis: 'uid',
      attendeenamegivenname: 'first_name',
      attendeenamefamilyname: 'last_name',
      attendeename: 'full_name',
      attendeeemail: 'email',
      email: 'email',
      product: 'guest_category',
      produkt: 'guest_category',
      ticketid: 'metadata',
    },
  },
  eventbrite: {
    signs: [
      ['attendeestatus', 'barcode'],
      ['attendeestatus', 'order'],
      ['attendeestatus', 'orderno'],
      ['attendeestatus', 'orderid'],
    ],
    columns: {
      barcode: 'uid',
      barcodeno: 'uid',
      tickettype: 'guest_category',
      attendeestatus: 'rsvp_status',
      email: 'email',
    },
  },
  tito: {
    signs: [
      ['ticketreference', 'ticketfullname'],
      ['ticketreference', 'ticketfirstname'],
    ],
    columns: {
      ticketreference: 'uid',
      ticket: 'guest_category',
      tickettype: 'guest_category',
      ticketfirstname: 'first_name',
      ticketlastname: 'last_name',
      ticketfullname: 'full_name',
      ticketemail: 'email',
      ticketcompanyname: 'company_name',
      ticketjobtitle: 'position',
      ticketphonenumber: 'phone_number',
    },
  },
  'hi.events': {
    signs: [
      ['publicid', 'ischeckedin'],
      ['publicid', 'shortid', 'firstname'],
    ],
    columns: {
      publicid: 'uid',
      productname: 'guest_category',
      ticketname: 'guest_category',
      ticketid: 'metadata',
      productid: 'metadata',
    },
  },
  eventyay: {
    signs: [['ticketid', 'ticketname', 'order']],
    columns: { ticketid: 'uid', ticketname: 'guest_category', tickettype: 'metadata' },
  },
  meetup: {
    signs: [
      ['userid', 'rsvpedon'],
      ['userid', 'eventhost'],
      ['userid', 'urlofmemberprofile'],
    ],
    columns: { name: 'last_name', rsvp: 'rsvp_status', title: 'metadata', guests: 'metadata' },
  },
  'google forms': {
    signs: TIMESTAMPS.split(' ').map((name) => [name]),
    columns: {},
  },
}

/** The system whose export has these headers, and what its columns are by their index. */
export function presetOf(headers: readonly string[]): { system: string; columns: Map<number, string> } | undefined {
  const folded = headers.map(foldColumnName)
  for (const [system, { signs, columns }] of Object.entries(presets)) {
    if (!signs.some((names) => names.every((name) => folded.includes(name)))) continue
    const found = new Map<number, string>()
    const taken = new Set<string>()
    for (const [name, meaning] of Object.entries(columns)) {
      const index = folded.indexOf(name)
      if (index < 0) continue
      found.set(index, taken.has(meaning) ? 'metadata' : meaning)
      if (meaning !== 'metadata') taken.add(meaning)
    }
    return { system, columns: found }
  }
  return undefined
}
