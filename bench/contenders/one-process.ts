import { makeLog } from '@gatehouse/proto/log.ts'
import { openStore } from '@gatehouse/proto/mongo.ts'
import fastify from 'fastify'
import { ObjectId } from 'mongodb'
import { type CheckIn, CheckInStore } from '../../services/checkin/check-ins/store.ts'
import { ACCESS_GRANTED } from '../../services/checkin/door/decision.ts'
import { Ledger } from '../../services/checkin/door/ledger.ts'
import type { ScanBody } from '../bodies.ts'

/*
 * The floor of a check-in in one process: Fastify, the ledger's script, and one insertMany for all that came while the last was under way.
 * No token, no bus, no guest, no check of the body, no second try: whoever the ledger knows gets a slot of their own.
 */

const { MONGODB_URL = '', REDIS_URL = '', NAMESPACE = '' } = process.env
const store = await openStore(MONGODB_URL, NAMESPACE, 'checkin')
const checkIns = new CheckInStore(store.db)
await checkIns.prepare()
const ledger = new Ledger(REDIS_URL, NAMESPACE, makeLog('one-process', 'warn'))
await ledger.connect()

interface Waiting {
  checkIn: CheckIn
  done: (checkIn: CheckIn) => void
  failed: (error: Error) => void
}

const FLUSH_SIZE = 500
const event_id = new ObjectId().toHexString()
const waiting: Waiting[] = []
let flushing = false

const app = fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
  done(null, JSON.parse(body as string)),
)
app.post('/check-ins', async (request, reply) => {
  const stored = await enter(request.body as ScanBody)
  return reply.code(201).type('application/json; charset=utf-8').send(JSON.stringify(stored))
})
const url = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ msg: 'ready', url }))
process.once('SIGTERM', () => process.exit(0))

function enter({ accesspoint_id, guest_uid, access_stamp }: ScanBody): Promise<CheckIn> {
  const now = new Date()
  const checkIn: CheckIn = {
    _id: new ObjectId().toHexString(),
    event_id,
    accesspoint_id,
    guest_uid,
    access_stamp: new Date(access_stamp),
    access_status: ACCESS_GRANTED,
    created_at: now,
    updated_at: now,
  }
  return new Promise((done, failed) => {
    waiting.push({ checkIn, done, failed })
    if (flushing) return
    flushing = true
    setImmediate(() => void flushAll())
  })
}

async function flushAll(): Promise<void> {
  while (waiting.length > 0) {
    const batch = waiting.splice(0, FLUSH_SIZE)
    try {
      await flush(batch.map(({ checkIn }) => checkIn))
      for (const { checkIn, done } of batch) done(checkIn)
    } catch (error) {
      for (const { failed } of batch) failed(error as Error)
    }
  }
  flushing = false
}

async function flush(batch: CheckIn[]): Promise<void> {
  const firsts = await ledger.claim(event_id, batch)
  if (!firsts) throw new Error('Redis is away')
  for (const [index, checkIn] of batch.entries()) checkIn.slot = firsts[index] ? 1 : checkIn._id
  const { refused, failed } = await checkIns.insert(batch)
  if (refused.size + failed.size > 0) throw new Error('a check-in was refused')
}
