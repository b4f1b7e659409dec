import type { Kind } from './costs.ts'
import type { Question } from './question.ts'
import { countedBytes, needsOf, REDIS_BYTES, requestsOf } from './sizes.ts'
import { type Assumptions, failureOf, type Sizing, simulateRush } from './sizing.ts'

/** What stops a system as the load is raised, and at how many times the load. */
export interface Break {
  what: string
  times: number
}

/** Beyond that nothing is looked for. */
const MOST = 64
/** The factor is found as precisely as this. */
const PRECISION = 0.05

/** What breaks when more people come at once to a system that stays as it is, first things first. */
export function breaks(
  question: Question,
  { layout, rates }: Sizing,
  assumptions: Assumptions,
  say: (line: string) => void,
): Break[] {
  const fails = (times: number): Kind | undefined => {
    const failure = failureOf(simulateRush(question, layout, assumptions, times))
    say(`${times.toFixed(2)} times the load: ${failure ? `${failure} is too busy` : 'in time'}`)
    return failure
  }
  let good = 1
  let bad = 2
  let kind = fails(bad)
  while (!kind && bad < MOST) {
    good = bad
    bad *= 2
    kind = fails(bad)
  }
  while (kind && bad / good > 1 + PRECISION) {
    const middle = Math.sqrt(good * bad)
    const failure = fails(middle)
    if (failure) {
      kind = failure
      bad = middle
    } else good = middle
  }
  const processors = kind ? [{ what: `processors of ${kind}`, times: bad }] : []
  const { redis } = needsOf(question, layout, assumptions.costs, rates)
  // The limit on Kubernetes is twice the request. Only one event may need more: of several, as many stay in memory as fit.
  const event = { ...question, guests: question.guests / question.events, events: 1 }
  const memory = { what: 'memory of checkin, by one event', times: requestsOf('checkin').bytes / countedBytes(event) }
  return [...processors, memory, { what: 'memory of Redis', times: REDIS_BYTES / redis }]
    .filter(({ times }) => times < MOST)
    .sort((a, b) => a.times - b.times)
}
