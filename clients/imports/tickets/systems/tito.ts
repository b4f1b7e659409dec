import type { TicketSystem } from './kinds.ts'

/**
 * Exports of Tito. Sources: files that organizers published; the ticket's page, whose address ends with the ticket's slug (`ti_…`), and the QR code's
 * address at qr.tito.io/tickets/SLUG. So the slug is the code, and the reference where the file has no slug.
 */
export const tito: TicketSystem = {
  id: 'tito',
  title: 'Tito',
  exports: 'tickets',
  kinds: [
    {
      what: 'tickets',
      title: 'tickets',
      signs: [
        'ticketreference ticketfullname',
        'ticketreference ticketfirstname',
        'ticketreference ticketemail',
        'uniqueticketurl ticket',
      ],
      columns: {
        code: 'ticketslug uniqueticketurl ticketurl ticketreference',
        order: 'orderreference registrationreference',
        number: 'number',
        category: 'ticket tickettype tickettitle release',
        status: 'voidstatus ticketstatus status state',
        first_name: 'ticketfirstname',
        last_name: 'ticketlastname',
        full_name: 'ticketfullname ticketname ordername registrationname',
        email: 'ticketemail orderemail registrationemail',
        phone_number: 'ticketphonenumber orderphonenumber',
        company_name: 'ticketcompanyname ordercompanyname registrationcompanyname',
        position: 'ticketjobtitle',
        checked_in: 'checkedinat checkedintime checkintime checkindate checkedin',
        note: 'tags orderdiscountcode discountcode',
        '-': `ticketcreateddate ticketcreatedat ticketlastupdateddate ticketupdateddate event eventname price currency
          uniqueorderurl orderip ordercreateddate ordercompleteddate ordercompletedat paymentreference paymentmethod
          source releaseslug testmode`,
      },
    },
  ],
}
