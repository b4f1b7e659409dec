import { setTimeout as sleep } from 'node:timers/promises'
import type { Askable, Bus } from '@gatehouse/proto/bus/bus.ts'
import { type Client, clientOf } from '@gatehouse/proto/bus/client.ts'
import { AGAIN, readIncoming, writeRequest } from '@gatehouse/proto/bus/messages.ts'
import type { FenceState } from '@gatehouse/proto/declaring/cell-data.ts'
import type { Output } from '@gatehouse/proto/declaring/resource.ts'
import { parseJson } from '@gatehouse/proto/formats/json-reader.ts'
import { cellData } from '../permissions.ts'
import type { Patience } from './patience.ts'

type CellDataActions = (typeof cellData)[number]['actions']

/** What a process says of an account. */
export type Acknowledgement = Output<CellDataActions['fence']>

/** That of a process which cannot do it now. */
const UNABLE: Acknowledgement = { process: '', state: 'home', epoch: -1, is_done: false }
/** NATS' own answer where nobody is. */
const NOBODY = 503

/** The pause after nobody was there. */
const RESTARTING_MS = 500

/** What the processes of a service are told. */
export interface Told {
  account_id: string
  event_ids: string[]
  state: FenceState
  epoch: number
  /** How long it may be `leaving`. */
  lease_ms?: number
  /** The cell to which it has `left`. */
  heir?: { cell: string; epoch: number }
}

/** A service of a cell, as the command line asks it. */
export interface CellService {
  name: string
  data: Client<(typeof cellData)[number]>
  /** Tells all its processes, and returns what those say that answer within `waitMs`, or that many of them. */
  tell(told: Told, waitMs: number, most?: number): Promise<Acknowledgement[]>
}

/** A cell: its services. */
export interface Cell {
  name: string
  bus: Askable
  services: CellService[]
}

/** A cell by its namespace. */
export function cellAt(bus: Bus, namespace: string, patience: Patience): Cell {
  const to = patience.with(bus.cell(namespace))
  const services = cellData.map((resource): CellService => {
    const subject = `${namespace}.${resource.name}.fence${AGAIN}`
    return {
      name: resource.service,
      data: clientOf(to, resource),
      tell: async (told, maxWait, maxMessages) => {
        const { payload } = writeRequest({ budget: maxWait }, Buffer.from(JSON.stringify(told)), 1_000_000)
        const strategy = maxMessages === undefined ? ('timer' as const) : ('count' as const)
        const options = { maxWait, strategy, ...(maxMessages !== undefined && { maxMessages }) }
        const said: Acknowledgement[] = []
        try {
          for await (const { headers, data } of await bus.connection.requestMany(subject, payload, options)) {
            const incoming = readIncoming(headers, data)
            if (incoming.kind === 'reply') said.push(parseJson(data) as Acknowledgement)
            else if (headers?.code !== NOBODY) said.push(UNABLE)
          }
        } catch (error) {
          if ((error as Error).name !== 'NoResponders') throw error
          // All of its processes are being restarted.
          await sleep(RESTARTING_MS)
        }
        return said
      },
    }
  })
  return { name: namespace, bus: to, services }
}
