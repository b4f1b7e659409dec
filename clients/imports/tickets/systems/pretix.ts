import type { TicketSystem } from './kinds.ts'

/**
 * Exports of pretix, with headers in English and German. Sources: the exporters and the German translation in github.com/pretix/pretix,
 * `base/exporters/orderlist.py` (order data, sheet of positions), `base/exporters/json.py`, `plugins/checkinlists/exporters.py` (check-in list and
 * check-in log), `control/views/vouchers.py`. Tickets have the position's secret as their QR code unless the event signs its codes.
 */
export const pretix: TicketSystem = {
  id: 'pretix',
  title: 'pretix',
  exports:
    'order data (Excel, its CSV of positions or JSON), check-in list with QR-code secrets, check-in log, vouchers',
  kinds: [
    {
      what: 'check-ins',
      title: 'check-in log',
      signs: ['checkinlist scantype', 'checkinliste secret', 'checkinlist uploaddate', 'uploaddatum secret'],
      columns: {},
    },
    {
      what: 'tickets',
      title: 'tickets',
      signs: ['ordercode product', 'bestellnummer produkt'],
      columns: {
        code: 'ticketsecret secret ticketcode geheimnis',
        order: 'ordercode bestellnummer',
        number: 'positionid position',
        category: 'product produkt',
        variation: 'variation variante',
        status: 'status',
        paid: 'paid bezahlt',
        blocked: 'blocked gesperrt blockiert',
        first_name: 'attendeenamegivenname attendeenamefirstname nameteilnehmerinvorname teilnehmerinnennamevorname',
        last_name: `attendeenamefamilyname attendeenamelastname nameteilnehmerinnachname nameteilnehmerinfamilienname
          teilnehmerinnennamenachname teilnehmerinnennamefamilienname`,
        full_name: 'attendeename nameteilnehmerin teilnehmername invoiceaddressname rechnungsadressename',
        email: 'attendeeemail emailteilnehmerin email',
        phone_number: 'phonenumber telefonnummer',
        company_name: 'company firma',
        checked_in: 'checkedin eingecheckt eingetreten',
        note: `voucher gutschein vouchercode gutscheincode seatname sitzbezeichnung date termin startdate beginn comment
          kommentar ordercomment bestellkommentar`,
        '-': `eventslug kurznamederveranstaltung orderdate bestelldatum ordertime bestelluhrzeit enddate ende price preis
          taxrate steuersatz taxrule steuerregel taxvalue steuer address adresse zipcode postleitzahl city ort country land
          state bundesstaat pseudonymizationid pseudonymeid seatid sitzplatzid seatzone sitzbereich seatrow sitzreihe
          seatnumber sitzplatz validfrom gultigab validuntil gultigbis followupdate datumzurwiedervorlage vatid ustidnr
          saleschannel verkaufskanal orderlocale bestellsprache emailaddressverified emailadresseverifiziert
          paymentproviders zahlungsmethoden checkedout ausgetreten automaticallycheckedin automatischeingecheckt
          requiresspecialattention benotigtbesonderebehandlung voucherbudgetusage positionorderlink checkinlists`,
      },
      leftOut: /^(attendeename|invoiceaddressname|nameteilnehmerin|teilnehmerinnenname|rechnungsadressename)./,
    },
    {
      what: 'vouchers',
      title: 'vouchers',
      signs: ['vouchercode redeemed', 'gutscheincode eingelost', 'vouchercode reservequota'],
      columns: {
        text: 'vouchercode gutscheincode',
        label: 'tag schlagwort stichwort comment kommentar',
        effect: 'priceeffect preiseffekt auswirkungaufdenpreis preiswirkung',
        value: 'value wert price preis',
        used: 'redeemed eingelost',
        most: 'maximumusages maximaleeinlosungen maximaleverwendungen maximalenutzungen',
        until: 'validuntil gultigbis',
      },
    },
  ],
}
