import type { TicketKind, TicketSystem } from './kinds.ts'

const columns: TicketKind['columns'] = {
  code: 'barcode barcodeno barcodenumber barcodenr strichcode',
  order: 'order orderno orderid ordernumber bestellung bestellnr bestellnummer',
  number: 'attendee attendeeno attendeeid teilnehmernr',
  category: 'tickettype tickettyp ticketart',
  status: 'attendeestatus teilnehmerstatus orderstatus bestellstatus status',
  first_name: 'attendeefirstname firstname vorname buyerfirstname',
  last_name: 'attendeelastname lastname surname nachname buyerlastname',
  full_name: 'attendeename name buyername',
  email: 'attendeeemail email emailaddress emailadresse buyeremail',
  phone_number:
    'cellphone mobilephone phonenumber phone workphone homephone handynummer mobiltelefon telefonnummer telefon',
  company_name: 'company organization organisation firma unternehmen',
  position: 'jobtitle berufsbezeichnung',
  party_size: 'quantity ticketquantity anzahl menge',
  checked_in: 'checkindate checkindatetime checkintime attendeecheckindate checkedinat checkedin datescanned',
  note: 'promocode discountcode discount rabattcode notes pricetier ticketgroup group',
  '-': `eventname eventid eventdate eventlocation eventstartdate eventstarttime orderdate orderdatetime ordertime ordertype
    bestelldatum bestellart currency wahrung totalpaid ticketprice grosssales ticketrevenue netsales feespaid
    eventbritefees eventbritepaymentprocessing taxpaid taxesontickets thirdpartytaxes organizertaxes refunds refundamount
    paymenttype paymentstatus deliverymethod prefix suffix buyer affiliate trackinglink homeaddress homeaddress1
    homeaddress2 homecity homestate homezip homecountry billingaddress1 billingaddress2 billingcity billingstate
    billingzip billingcountry shippingaddress1 shippingaddress2 shippingcity shippingstate shippingzip shippingcountry
    workaddress1 workaddress2 workcity workstate workzip workcountry gender age birthdate website blog`,
}

/**
 * Exports of Eventbrite. Sources: its glossary of order and attendee statuses (eventbrite.com/help, article 291888) and files that organizers
 * published. The attendee summary has the barcode of each ticket if that column was chosen; the list of orders has none, so that an order becomes one
 * guest with a new code and as many persons as tickets.
 */
export const eventbrite: TicketSystem = {
  id: 'eventbrite',
  title: 'Eventbrite',
  exports: 'attendee summary with the column "Barcode #", or orders',
  kinds: [
    {
      what: 'tickets',
      title: 'attendees',
      signs: [
        'order attendeestatus',
        'orderno attendeestatus',
        'orderid attendeestatus',
        'barcode tickettype',
        'attendee tickettype',
        'bestellnr teilnehmerstatus',
        'bestellnummer teilnehmerstatus',
      ],
      columns,
    },
    {
      what: 'tickets',
      title: 'orders',
      signs: [
        'order quantity email',
        'orderno quantity email',
        'orderid quantity',
        'order orderstatus',
        'bestellnr anzahl',
      ],
      columns,
    },
  ],
}
