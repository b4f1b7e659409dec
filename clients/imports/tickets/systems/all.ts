import { eventbrite } from './eventbrite.ts'
import { hiEvents } from './hi-events.ts'
import type { TicketSystem } from './kinds.ts'
import { pretix } from './pretix.ts'
import { tito } from './tito.ts'

/** The ticketing systems whose exports are read. */
export const ticketSystems: readonly TicketSystem[] = [pretix, eventbrite, hiEvents, tito]
