import { GatehouseError } from '../../../../clients/typescript/client.ts'
import type { Answer, Server } from '../server/server.ts'
import { tick } from '../storage/ticks.ts'
import { readCode } from './code.ts'
import type { Scan } from './scan.ts'

/** What the server refuses however often it is asked. */
const FINAL = new Set([403, 404, 422])

/** Asks the server for one scan, whose code it may have to read first. Throws if it does not answer. */
export async function askFor(scan: Scan, server: Server): Promise<Answer> {
  try {
    const guest_uid = scan.guest_uid ?? (await uidOf(scan, server))
    if (guest_uid === undefined) return { problem: 'content is no code of a guest' }
    return { guest_uid, access_status: await server.checkIn({ ...scan, guest_uid }) }
  } catch (error) {
    if (error instanceof GatehouseError && FINAL.has(error.status)) return { problem: error.message }
    throw error
  }
}

/** A scan with what the server says of it: it is refused if the device has let in whom the server refuses, or the other way round. */
export function concluded(scan: Scan, answer: Answer): Scan {
  if ('problem' in answer) return { ...scan, state: 'refused', concluded_at: tick(), problem: answer.problem }
  const { decided_offline } = scan
  const differs = decided_offline !== null && (decided_offline === 0) !== (answer.access_status === 0)
  return { ...scan, ...answer, concluded_at: tick(), state: differs ? 'refused' : 'confirmed' }
}

/** The uid in a ciphered code. */
async function uidOf({ content }: Scan, server: Server): Promise<string | undefined> {
  const code = readCode(await server.decipher(content))
  return code?.kind === 'uid' ? code.uid : undefined
}
