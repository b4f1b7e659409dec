import { answer } from './answer.ts'
import type { Costs } from './costs.ts'
import { PRICES } from './money.ts'
import type { Question } from './question.ts'
import { gigabytes, number } from './report.ts'

/** What the table of docs/operations.md shows. */
const QUESTIONS: Question[] = [
  { guests: 100_000, minutes: 30, events: 1, partners: 50, mail: 100_000, mailHours: 8 },
  { guests: 500_000, minutes: 30, events: 50, partners: 200, mail: 1_000_000, mailHours: 8 },
  { guests: 2_000_000, minutes: 45, events: 300, partners: 500, mail: 5_000_000, mailHours: 8 },
]

/** The lines of the table. */
export function tableOf(costs: Costs, say: (line: string) => void = () => {}): string[] {
  const assumptions = { costs, seed: 1, diskMs: 2, utilization: 0.6 }
  const rows = QUESTIONS.map((question) => {
    const { rates, layout, cores, needs, money, breaks, result } = answer(question, assumptions, PRICES, say)
    const { gateway, checkin, guests, hooks, mail, partners } = layout
    return [
      `${number(question.guests)} guests, ${question.events === 1 ? 'an event' : `${number(question.events)} events`}, ${question.minutes} min, ${number(question.mail)} e-mails`,
      number(rates.first + rates.scan),
      `${result.p99.toFixed(0)} ms`,
      [gateway, checkin, guests, hooks, mail, partners].join(', '),
      `3 × ${layout.database}`,
      number(cores),
      gigabytes(needs.memory),
      gigabytes(needs.disk),
      number(money.all),
      breaks.map(({ what, times }) => `${what} (${times.toFixed(1)} ×)`)[0] ?? '',
    ]
  })
  const head = [
    'Load',
    'Check-ins a second at most',
    'p99',
    'Processes: gateway, checkin, guests, hooks, mail, partners',
    'Database processors',
    'Processors',
    'Memory',
    'Disk of a member',
    'US$ a month',
    'Breaks first',
  ]
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
