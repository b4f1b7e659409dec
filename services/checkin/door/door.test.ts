import { makeLog } from '@gatehouse/proto/log.ts'
import { openStore } from '@gatehouse/proto/mongo.ts'
import { expect, inject, test } from 'vitest'
import { type CheckIn, CheckInStore } from '../check-ins/store.ts'
import type { Stretches } from '../telling/stretches.ts'
import type { Directory } from './directory.ts'
import { Door } from './door.ts'
import { Ledger } from './ledger.ts'

/** The store of the check-ins, of which one insert never ends. */
class HangingStore extends CheckInStore {
  hangs = true

  override insert(checkIns: CheckIn[]): ReturnType<CheckInStore['insert']> {
    if (!this.hangs) return super.insert(checkIns)
    this.hangs = false
    return new Promise(() => {})
  }
}

test('a flush that hangs is given up with 503, and the scans after it are decided', async () => {
  const log = makeLog('door', 'silent')
  const database = await openStore(inject('mongodbUrl'), `hanging-${process.pid}`, 'checkin')
  const store = new HangingStore(database.db)
  const ledger = new Ledger(inject('redisUrl'), `hanging-${process.pid}`, log)
  const untold: Pick<Stretches, 'telling'> = { telling: (_event, _at, enter) => enter() }
  const everybody = {
    rightsOf: async () => ({
      accesspoints: new Set(['door']),
      links: new Map([['door', new Map([['all', 1]])]]),
      gaps: new Set<string>(),
    }),
    guestsOf: async () => [{ guest_category_id: 'all', access_privileges: [] }],
  }
  try {
    await store.prepare()
    await ledger.connect()
    const door = new Door(everybody as unknown as Directory, ledger, store, untold, log, 5_000)
    const enter = (_id: string) => {
      const scan = { _id, event_id: 'event', accesspoint_id: 'door', guest_uid: 'ada', access_stamp: undefined }
      return door.enter('event', [scan])
    }
    await expect(enter('first')).rejects.toMatchObject({ code: 'unavailable' })
    // The ledger has seen her, the store has not: she is let in all the same.
    expect(await enter('second')).toMatchObject([{ checkIn: { access_status: 0 } }])
    expect(await enter('third')).toMatchObject([{ checkIn: { access_status: 3 } }])
  } finally {
    await database.db.dropDatabase()
    await ledger.close()
    await database.close()
  }
})
