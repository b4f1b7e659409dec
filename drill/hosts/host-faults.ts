import type { Random } from '@gatehouse/cli/demo/random.ts'
import { DATABASE } from './addresses.ts'
import type { HostSystem } from './host-system.ts'
import { HOSTS, neighbourOf } from './placing.ts'

/** How a slow card is: each frame that it sends comes late, and some never. */
const SLOW = { delayMs: 100, loss: 0.05 }
const WELL = { isCut: false, delayMs: 0, loss: 0 }
const CLOCK_SECONDS = 60
const ALL = [...HOSTS, DATABASE]

/** A fault of hosts. */
export interface HostFault {
  what: string
  /** The host whose processes it ends. */
  killed?: number
  /** Hosts whose doors may be unable to let anybody in meanwhile. */
  smaller: readonly number[]
  begin(system: HostSystem): Promise<unknown>
  end(system: HostSystem): Promise<unknown>
}

/** Each kind of fault once, and the death of each host and of the database's; chance says which host the others are about. */
export function hostFaultsOf(chance: Random): HostFault[] {
  const some = (): number => chance.pick(HOSTS)
  const [alone, apart] = [some(), some()]
  return [
    ...HOSTS.map(killing),
    cutting(`cut host-${alone} off from the other hosts and the database`, [alone], ALL, [alone]),
    cutting(`cut host-${apart} off from host-${neighbourOf(apart)}`, [apart], [neighbourOf(apart)]),
    cutting('cut all hosts off from the database', HOSTS, [DATABASE], HOSTS),
    killingDatabase,
    slowing(some()),
    clock(some(), CLOCK_SECONDS),
    clock(some(), -CLOCK_SECONDS),
  ]
}

/** All processes of a host are killed at once, and nothing reaches it any more; then it comes back with its files. */
function killing(host: number): HostFault {
  const cut = ({ network }: HostSystem, isCut: boolean) =>
    Promise.all([network.changeBetween([host], ALL, { isCut }), network.setFront(host, isCut ? 'down' : 'up')])
  return {
    what: `kill host-${host}`,
    killed: host,
    smaller: [host],
    begin: async (system) => {
      await cut(system, true)
      await system.hosts[host - 1]?.kill()
    },
    end: async (system) => {
      await cut(system, false)
      system.hosts[host - 1]?.start()
    },
  }
}

/** As {@link killing}, the host of the database, whose devices are at other hosts. */
const killingDatabase: HostFault = {
  what: 'kill the host of the database',
  smaller: HOSTS,
  begin: async ({ network, database }) => {
    await network.changeBetween(HOSTS, [DATABASE], { isCut: true })
    await database.kill()
  },
  end: async ({ network, database }) => {
    await network.changeBetween(HOSTS, [DATABASE], WELL)
    database.startAgain()
  },
}

/** What some nodes send does not reach others, nor the other way round. */
function cutting(
  what: string,
  some: readonly number[],
  others: readonly number[],
  smaller: readonly number[] = [],
): HostFault {
  return {
    what,
    smaller,
    begin: ({ network }) => network.changeBetween(some, others, { isCut: true }),
    end: ({ network }) => network.changeBetween(some, others, WELL),
  }
}

/** What a host sends comes late, and some of it never. */
function slowing(host: number): HostFault {
  return {
    what: `what host-${host} sends is ${SLOW.delayMs} ms late, ${SLOW.loss * 100} % of it lost`,
    smaller: [],
    begin: ({ network }) => network.change([host], ALL, SLOW),
    end: ({ network }) => network.change([host], ALL, WELL),
  }
}

/** The clock of a host is wrong, and is set right again. */
function clock(host: number, seconds: number): HostFault {
  return {
    what: `the clock of host-${host} is ${Math.abs(seconds)} s ${seconds > 0 ? 'fast' : 'slow'}`,
    smaller: [],
    begin: async ({ hosts }) => hosts[host - 1]?.setClock(seconds),
    end: async ({ hosts }) => hosts[host - 1]?.setClock(0),
  }
}
