import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { coalesced } from '@gatehouse/proto/concurrency/coalescing.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { ObjectId } from 'mongodb'
import { type CheckIn, CheckInStore } from '../../services/checkin/check-ins/store.ts'
import { Ledger } from '../../services/checkin/door/ledger.ts'
import type { ScanBody } from '../bodies.ts'
import { jsonApp, serve } from './json-app.ts'

/*
 * The floor of a check-in in one process: Fastify, the ledger's script, and one insertMany for all scans that arrive while the last is under
 * way. No token, no bus, no guest, no check of the body, no second try: a guest whom the ledger knows is granted again, with the check-in's id
 * as slot.
 */

const { MONGODB_URL = '', REDIS_URL = '', NAMESPACE = '' } = process.env
const store = await openStore(MONGODB_URL, NAMESPACE, 'checkin')
const checkIns = new CheckInStore(store.db)
await checkIns.prepare()
const ledger = new Ledger(REDIS_URL, NAMESPACE, makeLog('one-process', 'warn'))
await ledger.connect()

const event_id = new ObjectId().toHexString()
const enter = coalesced(flush, 1)

const app = jsonApp()
app.post('/check-ins', async (request, reply) => {
  const stored = await enter(checkInOf(request.body as ScanBody))
  return reply.code(201).type('application/json; charset=utf-8').send(JSON.stringify(stored))
})
await serve(app)

function checkInOf({ accesspoint_id, guest_uid, access_stamp }: ScanBody): CheckIn {
  const now = new Date()
  return {
    _id: new ObjectId().toHexString(),
    event_id,
    accesspoint_id,
    guest_uid,
    access_stamp: new Date(access_stamp),
    access_status: ACCESS_GRANTED,
    created_at: now,
    updated_at: now,
  }
}

async function flush(batch: CheckIn[]): Promise<CheckIn[]> {
  const claimed = await ledger.claim(event_id, batch)
  if (!claimed) throw new Error('Redis does not answer')
  for (const [index, checkIn] of batch.entries()) checkIn.slot = claimed.isNew[index] ? 1 : checkIn._id
  const { conflicting, failed } = await checkIns.insert(batch)
  if (conflicting.size + failed.size > 0) throw new Error('a check-in was in conflict or failed')
  return batch
}
