import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { scanTimes } from './resource.ts'
import { StepCounts } from './steps.ts'
import type { StoredCount } from './store.ts'

type Read = (typeof scanTimes)['actions']['read']

/** Returns how long scans took, by check-in point and by device, the slowest first. */
export async function read({ scanTimes }: Dependencies, { params: { event_id } }: Call<Read>): Promise<Output<Read>> {
  const { since, counts } = await scanTimes.read(event_id)
  const ofTokens = counts.filter(({ token_id }) => token_id !== '')
  return {
    since,
    by_accesspoint: slowestFirst(counts, 'accesspoint_id').map(([accesspoint_id, waits]) => ({
      accesspoint_id,
      ...waits,
    })),
    by_device: slowestFirst(ofTokens, 'token_id').map(([token_id, waits]) => ({ token_id, ...waits })),
  }
}

function slowestFirst(counts: readonly StoredCount[], by: 'accesspoint_id' | 'token_id') {
  const waits = Object.entries(Object.groupBy(counts, (count) => count[by])).map(
    ([id, own = []]) => [id, waitsOf(own)] as const,
  )
  return waits.toSorted(([, one], [, other]) => slownessOf(other) - slownessOf(one))
}

type Waits = ReturnType<typeof waitsOf>

/** By which the slowest come first: what people there felt, as far as it is known. */
function slownessOf({ in_gatehouse, at_device }: Waits): number {
  return Math.max(in_gatehouse.p95_ms ?? 0, at_device.p95_ms ?? 0)
}

/** What the counts of a check-in point or a device add up to. */
function waitsOf(counts: readonly StoredCount[]) {
  const sum = (counted: StoredCount['counted'], of: string): number =>
    counts.reduce((total, each) => (each.counted === counted && each.of === of ? total + each.value : total), 0)
  const timesOf = (counted: 'gatehouse' | 'device') => {
    const steps = new StepCounts()
    for (const { of, value } of counts.filter((each) => each.counted === counted)) {
      if (of === 'worst') steps.addWorst(value)
      else if (of !== 'unanswered') steps.add(Number(of), value)
    }
    return { ...steps.figures(), unanswered_count: sum(counted, 'unanswered') }
  }
  return {
    in_gatehouse: timesOf('gatehouse'),
    at_device: {
      ...timesOf('device'),
      slow_on_network_count: sum('network', ''),
      alone_count: sum('alone', ''),
    },
  }
}
