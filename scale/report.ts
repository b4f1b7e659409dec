import type { Answer } from './answer.ts'
import { KINDS, type Kind } from './costs.ts'

/** What one of a layout's kinds is counted in. */
const COUNTED: Partial<Record<Kind, string>> = {
  database: 'processors of each of 3 members',
  nats: 'servers',
  redis: 'masters, each with a replica',
}

/** An answer in lines. */
export function reportOf(answer: Answer): string[] {
  const { question, rates, result, layout, cores, needs, money, burst } = answer
  const { guests, minutes, events, partners, mail, mailHours } = question
  return [
    `${number(guests)} guests of ${events === 1 ? 'an event' : `${number(events)} events`} within ${number(minutes)} minutes, ${number(partners)} partners, ${number(mail)} e-mails within ${number(mailHours)} hours`,
    '',
    `busiest second   ${number(rates.first + rates.scan)} check-ins (arrivals rise to the middle and fall again), ${number(rates.mail)} e-mails, ${number(rates.page)} lists;`,
    `                 meanwhile the devices of a venue whose network is back send ${number(burst)} at once`,
    `a check-in       ${result.p50.toFixed(0)} ms (p50), ${result.p99.toFixed(0)} ms (p99)`,
    '',
    ...[...KINDS]
      .sort((a, b) => result.utilization[b] - result.utilization[a])
      .map((kind) => {
        const use = `${Math.round(100 * result.utilization[kind])} % busy`
        return `${kind.padEnd(16)} ${number(layout[kind])} ${COUNTED[kind] ?? 'processes'}, ${use}, ${result.batch[kind].toFixed(1)} requests a turn`
      }),
    '',
    `processors       ${number(cores)}`,
    `memory           ${gigabytes(needs.memory)}; a member of the database ${gigabytes(needs.database)}, a checkin process ${gigabytes(needs.checkin)}`,
    `disk             ${gigabytes(needs.disk)} for each member of the database`,
    `network          ${number((needs.networkPerSecond * 8) / 1e6)} Mbit/s at most, ${gigabytes(needs.egress)} altogether`,
    `cost a month     ${number(money.all)}: processors ${number(money.cpu)}, memory ${number(money.memory)}, disks ${number(money.disk)}, network ${number(money.egress)}, e-mail ${number(money.mail)}`,
    '',
    'breaks first',
    ...answer.breaks.map(({ what, times }) => `  ${times.toFixed(1)} times the load: ${what}`),
  ]
}

/** A number that people read: three digits are enough. */
export function number(value: number): string {
  const rounded = value < 10 ? Math.round(value * 10) / 10 : Math.round(Number(value.toPrecision(3)))
  return rounded.toLocaleString('en')
}

/** Bytes that people read. */
export function gigabytes(bytes: number): string {
  return `${number(bytes / 1e9)} GB`
}
