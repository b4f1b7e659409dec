import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCellsNats } from '@gatehouse/test/load/nats-cells.ts'
import type { NatsServers } from '@gatehouse/test/load/nats-servers.ts'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import { type DoorSystem, type RealSystem, SEVERAL, startRealSystem } from '@gatehouse/test/load/system.ts'
import { serviceNames } from '../../services/services.ts'

/** The cells of the drill, by their namespaces. The account is in the first one to begin with. */
export const CELLS = ['east', 'west'] as const

/** A cell of the drill. */
export type CellName = (typeof CELLS)[number]

/** The slug of the account that moves. */
export const SLUG = 'moving'

/** The services that share a process: all but the door's, and e-mails, which nobody sends here. */
const SHARED = serviceNames.filter((name) => name !== 'checkin' && name !== 'mail')

/** Two cells, of which devices see the gateways. */
export interface CellsSystem extends DoorSystem {
  cells: Record<CellName, RealSystem>
  nats: NatsServers
}

/** Starts two cells, each with stores of its own, whose NATS servers are connected. */
export async function startCells(say: (line: string) => void, phase: Phase): Promise<CellsSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cells-'))
  phase.waitFor('the NATS servers of the cells')
  const nats = await startCellsNats(folder, CELLS, SEVERAL, () => {})
  const starting = CELLS.map((cell) => startCell(cell, nats, say, phase))
  const stop = async (): Promise<void> => {
    const started = await Promise.allSettled(starting)
    await Promise.all(started.map((each) => each.status === 'fulfilled' && each.value.stop()))
    await nats.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const [east, west] = (await Promise.all(starting)) as [RealSystem, RealSystem]
    return {
      ...{ slug: east.slug, account_id: east.account_id, auth_token: east.auth_token },
      gateways: [...east.gateways, ...west.gateways],
      cells: { east, west },
      nats,
      servedOf: (name) => east.servedOf(name) + west.servedOf(name),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function startCell(cell: CellName, nats: NatsServers, say: (line: string) => void, phase: Phase): Promise<RealSystem> {
  const others = CELLS.filter((each) => each !== cell)
  const natsUrls = SHARED.map((name) => [`NATS_URL_${name.toUpperCase()}`, nats.urlOf(cell, name)])
  return startRealSystem(
    {
      processes: [SEVERAL, 'checkin-1', 'checkin-2', 'gateway'],
      cell: { namespace: cell, natsUrlOf: (user) => nats.urlOf(cell, user), slug: cell === CELLS[0] ? SLUG : 'other' },
      settingsOf: (name) => ({
        ...(name === 'gateway' && { CELLS: others.join() }),
        ...(name === SEVERAL && { SERVICES: SHARED.join(), ...Object.fromEntries(natsUrls) }),
      }),
    },
    (line) => say(`  ${cell}${line}`),
    phase,
  )
}
