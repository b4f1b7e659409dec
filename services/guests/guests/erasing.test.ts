import { PublicLinks } from '@gatehouse/badges/links'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { DomainEvents, type DomainMessage, readDomainMessage } from '@gatehouse/proto/events/domain-events.ts'
import { Outbox } from '@gatehouse/proto/events/outbox.ts'
import { prepareStream, subjectIn } from '@gatehouse/proto/events/streams.ts'
import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { serveResource } from '@gatehouse/proto/serving/serving.ts'
import { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import { openStore } from '@gatehouse/proto/storage/mongo.ts'
import { SECRETS_KEY, startSystem } from '@gatehouse/test/harness/system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { expect, inject, test } from 'vitest'
import { personalData } from '../resources.ts'
import { testGuest } from '../test-guest.ts'
import { GuestChanges } from './changes.ts'
import { guestErasure } from './erasing.ts'
import { GuestLookups } from './lookups.ts'
import { GuestPresenter } from './presenter.ts'
import { onceAs, type PlannedChange, recoverEvents } from './publishing.ts'
import { personalGuests } from './resource.ts'
import { GuestStore } from './store.ts'

const EVENT = 'event'
const log = makeLog('guests', 'silent')

test(
  'an erasure that failed half-way and is tried again tells of each guest under one id, with whatever other guests',
  slow,
  async () => {
    const system = await startSystem({ guests: 0 })
    const store = await openStore(inject('mongodbUrl'), system.namespace, 'guests')
    const changeLog = new ChangeLog(inject('redisUrl'), system.namespace, log)
    await changeLog.connect()
    const domain = new DomainEvents(system.bus, log)
    const told: DomainMessage[] = []
    await prepareStream(system.bus, 'domain')
    system.bus.connection.subscribe(subjectIn(system.bus, 'domain', EVENT), {
      callback: (_error, { data }) => void told.push(readDomainMessage(data) as DomainMessage),
    })
    const guests = new GuestStore(store.db)
    await guests.prepare()
    const lookups = new GuestLookups(store.db)
    const presenter = new GuestPresenter(
      new PublicLinks({ public_url: 'http://127.0.0.1:8080', secrets_key: SECRETS_KEY }),
    )
    const recover = recoverEvents(lookups, presenter)
    const outbox = new Outbox<PlannedChange>({ db: store.db, domain, log, recover, onceAs, minAgeMs: 0 })
    const changes = new GuestChanges(system.bus, changeLog, { note: () => {} } as never)
    const erasure = guestErasure({ lookups, presenter, changes, outbox })
    const erase = (...guest_ids: string[]) => {
      const person = { guest_ids, guest_uids: [], emails: [] }
      const body = { account_id: 'account', event_id: EVENT, with_account: false, person, key: 'key' }
      return clientOf(system.bus, personalData).erase({ body })
    }
    // The first try ends in the middle of its write.
    let isFirst = true
    const changing: typeof erasure.changing = (event_id, all, change, key) => {
      if (!isFirst) return erasure.changing(event_id, all, change, key)
      isFirst = false
      const half = async () => {
        await erase('ada')
        throw new Error('The store is away')
      }
      return erasure.changing(event_id, all, half, key)
    }
    const handlers = personalDataHandlers(store.db, [personalGuests], {
      [personalGuests.name]: { ...erasure, changing },
    })
    serveResource(system.bus, personalData, handlers)
    await system.bus.subscribed()
    try {
      await guests.insertAll(['ada', 'bob'].map((_id) => testGuest({ _id, last_name: 'Lovelace' })))
      await expect(erase('ada', 'bob')).rejects.toThrow()
      await erase('ada', 'bob')
      outbox.start()
      await expect.poll(() => store.db.collection('outbox').countDocuments()).toBe(0)
      await system.bus.flush()
      for (const guest of ['ada', 'bob']) {
        const ids = told.flatMap(({ id, items }) => (items.some(({ _id }) => _id === guest) ? id : []))
        expect(ids.length).toBeGreaterThan(1)
        expect(new Set(ids).size).toBe(1)
      }
      expect(JSON.stringify(told)).not.toContain('Lovelace')
    } finally {
      await outbox.stop()
      domain.stop()
      await changeLog.close()
      await system.stop()
      await store.close()
    }
  },
)
