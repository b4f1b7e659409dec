import type { Rates } from './simulation.ts'

/** What people ask of a system. */
export interface Question {
  guests: number
  /** From the first guest at the doors to the last. */
  minutes: number
  events: number
  partners: number
  /** E-mails, handed over evenly within so many hours, while the doors are open too. */
  mail: number
  mailHours: number
}

/** One guest in ten is scanned once more: a second try, another door. */
const AGAIN = 0.1
/** Lists are opened this often: two people in the office of each event, and each partner, once a minute. */
const OFFICE = 2
/** Devices of one venue send this many seconds of its peak when its network is back. */
const OFFLINE_SECONDS = 10

/** The busiest second. Arrivals rise evenly to the middle and fall evenly from there: twice the mean. */
export function peakRates({ guests, minutes, events, partners, mail, mailHours }: Question): Rates {
  const first = (2 * guests) / (minutes * 60)
  const scan = first * AGAIN
  return {
    first,
    scan,
    page: (OFFICE * events + partners) / 60,
    mail: mail / (mailHours * 3_600),
    // A webhook and a live feed of each event.
    webhook: first + scan,
    feed: first + scan,
  }
}

/** Check-ins that the devices of one event send at once after a failure of their network. */
export function burstOf(question: Question): number {
  return Math.ceil((peakRates(question).first / question.events) * OFFLINE_SECONDS)
}

/** Check-ins of all guests. */
export function scansOf({ guests }: Question): number {
  return guests * (1 + AGAIN)
}
