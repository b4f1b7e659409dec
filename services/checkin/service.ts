import { text } from '@gatehouse/proto/fields.ts'
import { Outbox } from '@gatehouse/proto/outbox.ts'
import type { Running } from '@gatehouse/proto/process.ts'
import { type ServiceConfig, serviceSettings, startService } from '@gatehouse/proto/service.ts'
import { serveResource } from '@gatehouse/proto/serving.ts'
import { accesspointHandlers } from './accesspoints/handlers.ts'
import { AccesspointStore } from './accesspoints/store.ts'
import { checkInHandlers } from './check-ins/handlers.ts'
import { CheckInStore } from './check-ins/store.ts'
import { Directory } from './door/directory.ts'
import { Door } from './door/door.ts'
import { Ledger } from './door/ledger.ts'
import { linkHandlers } from './links/handlers.ts'
import { LinkStore } from './links/store.ts'
import { accesspoints, checkIns, links, signatures } from './resources.ts'
import { signatureHandlers } from './signatures/handlers.ts'
import { SignatureStore } from './signatures/store.ts'
import { Disturbances } from './tallies/disturbances.ts'
import { SegmentStore } from './tallies/segments.ts'
import { Tallies } from './tallies/tallies.ts'
import { type CheckInOutbox, LEFT_BEHIND, Stretches } from './telling/stretches.ts'

/** The settings of the checkin service. */
export const settings = { ...serviceSettings, redis_url: text({ maxLength: 2000 }) }

/** The settings as read. */
export interface CheckinConfig extends ServiceConfig {
  redis_url: string
}

/** The checkin service: check-in points, links, check-ins, signatures. */
export function start(config: CheckinConfig): Promise<Running> {
  return startService('checkin', config, async ({ bus, store, retries, domain, log }) => {
    const accesspointStore = new AccesspointStore(store.db)
    const linkStore = new LinkStore(store.db)
    const checkInStore = new CheckInStore(store.db)
    const signatureStore = new SignatureStore(store.db)
    const segmentStore = new SegmentStore(store.db)
    const disturbances = new Disturbances(store.db)
    await Promise.all([
      accesspointStore.prepare(),
      linkStore.prepare(),
      checkInStore.prepare(),
      signatureStore.prepare(),
      segmentStore.prepare(),
      disturbances.prepare(),
    ])

    const ledger = new Ledger(config.redis_url, config.namespace, log)
    await ledger.connect()
    const directory = new Directory(bus, accesspointStore, linkStore)
    const outbox: CheckInOutbox = new Outbox({
      db: store.db,
      domain,
      log,
      happened: ({ event_id, at, until = at }) => checkInStore.cameWithin(event_id, at, until),
      schema: checkIns.actions.create.reply,
      ...LEFT_BEHIND,
    })
    await outbox.prepare()
    const stretches = new Stretches(outbox)
    const door = new Door(directory, ledger, checkInStore, stretches, log)

    serveResource(bus, accesspoints, accesspointHandlers(accesspointStore, linkStore, bus), { retries })
    serveResource(bus, links, linkHandlers(linkStore, accesspointStore, bus), { retries })
    const tallies = new Tallies(segmentStore, disturbances, bus, log)
    serveResource(bus, checkIns, checkInHandlers(checkInStore, signatureStore, accesspointStore, tallies, door, bus), {
      retries,
    })
    serveResource(bus, signatures, signatureHandlers(signatureStore, directory), { retries })
    outbox.start()
    return {
      drain: async () => {
        await directory.stop()
        await stretches.stop()
        await outbox.stop()
      },
      stop: async () => {
        tallies.stop()
        await ledger.close()
      },
    }
  })
}
