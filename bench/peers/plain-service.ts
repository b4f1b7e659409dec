import { ACCESS_GRANTED, TOO_MANY_CHECK_INS } from '@gatehouse/door/decision.ts'
import { natsOptions } from '@gatehouse/proto/bus/connecting.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { connect } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import { ObjectId } from 'mongodb'
import { type CheckIn, CheckInStore } from '../../services/checkin/check-ins/store.ts'
import type { ScanBody } from '../workers/requests.ts'
import { ready } from './ready.ts'

/*
 * The service of the plain check-in: for each scan one Lua script in Redis, which counts the guest's accesses up to a limit, and one insertOne
 * into a collection with the same indexes. No token, no guest, no check of the body. A crash between the two loses an access.
 */

const { MONGODB_URL = '', REDIS_URL = '', NAMESPACE = '' } = process.env
const LIMIT = 1
const COUNT = `
local used = redis.call('INCR', KEYS[1])
if used <= tonumber(ARGV[1]) then return used end
redis.call('DECR', KEYS[1])
return 0`

interface Commands {
  take(key: string, limit: number): Promise<number>
}

const { db } = await openStore(MONGODB_URL, NAMESPACE, 'plain')
await new CheckInStore(db).prepare()
const checkIns = db.collection<CheckIn>('access_controls')
const redis = new Redis(REDIS_URL, { scripts: { take: { lua: COUNT, numberOfKeys: 1 } } }) as Redis & Commands
const event_id = new ObjectId().toHexString()

async function enter({ accesspoint_id, guest_uid, access_stamp }: ScanBody): Promise<CheckIn> {
  const slot = await redis.take(`${NAMESPACE}:{${event_id}}:plain:${accesspoint_id}:${guest_uid}`, LIMIT)
  const now = new Date()
  const checkIn: CheckIn = {
    _id: new ObjectId().toHexString(),
    event_id,
    accesspoint_id,
    guest_uid,
    access_stamp: new Date(access_stamp),
    access_status: slot > 0 ? ACCESS_GRANTED : TOO_MANY_CHECK_INS,
    ...(slot > 0 && { slot }),
    created_at: now,
    updated_at: now,
  }
  await checkIns.insertOne(checkIn)
  return checkIn
}

const connection = await connect({ ...natsOptions(process.env.NATS_URL ?? ''), noAsyncTraces: true })
connection.subscribe(`${NAMESPACE}.plain`, {
  queue: 'plain',
  callback: (_error, message) => {
    void enter(message.json<ScanBody>()).then((checkIn) => message.respond(JSON.stringify(checkIn)))
  },
})
await connection.flush()
ready()
