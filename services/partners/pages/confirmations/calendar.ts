import ical, { ICalCalendarMethod } from 'ical-generator'
import type { ShownEvent } from '../invitation-pages/dates.ts'

interface CalendarEntry {
  /** The same whenever the file is made again, so that a calendar has the event once. */
  id: string
  event: ShownEvent
  link: string
  /** When the guest was made. */
  stamp: Date
}

/** The event as a calendar file (RFC 5545), in UTC; null without a date. */
export function calendarOf({ id, event, link, stamp }: CalendarEntry): string | null {
  const { title, location, start_date: start, end_date: end } = event
  if (!start) return null
  const calendar = ical({
    prodId: { company: 'Gatehouse', product: 'invitations' },
    method: ICalCalendarMethod.PUBLISH,
  })
  calendar.createEvent({ id, start, ...(end && end > start && { end }), stamp, summary: title, location, url: link })
  return calendar.toString()
}
