import type { TicketSystem } from './kinds.ts'

/**
 * Exports of Hi.Events. Sources: `AttendeesExport.php` and `PromoCodesExport.php` in github.com/HiEventsDev/hi.events, `backend/app/Exports`; the
 * ticket's QR code is the attendee's public id (`AttendeeTicket`). Times are UTC. Older versions have the number of a ticket type instead of its name.
 */
export const hiEvents: TicketSystem = {
  id: 'hi-events',
  title: 'Hi.Events',
  exports: 'attendees, promo codes',
  zone: 'UTC',
  kinds: [
    {
      what: 'tickets',
      title: 'attendees',
      signs: ['publicid ischeckedin', 'publicid shortid firstname'],
      columns: {
        code: 'publicid',
        order: 'orderpublicid orderid',
        category: 'productname ticketname product ticket producttitle tickettitle',
        variation: 'pricename productpricename',
        status: 'status',
        first_name: 'firstname',
        last_name: 'lastname',
        email: 'email',
        checked_in: 'checkedinat ischeckedin',
        note: 'notes',
        '-': `id shortid ticketid productid eventid createddate lastupdateddate createdat updatedat locale language`,
      },
    },
    {
      what: 'vouchers',
      title: 'promo codes',
      signs: ['code discounttype'],
      columns: {
        text: 'code',
        effect: 'discounttype',
        value: 'discount',
        used: 'timesused usagecount orderusagecount',
        most: 'maxallowedusages maxalloweduses',
        until: 'expirydate',
      },
    },
  ],
}
