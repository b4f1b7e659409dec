import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'
import { integer, text } from '@gatehouse/proto/declaring/fields.ts'
import { personalDataHandlers } from '@gatehouse/proto/privacy/serving.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { type ServiceContext, serviceSettings, startService } from '@gatehouse/proto/serving/service.ts'
import { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import { prepared } from '@gatehouse/proto/storage/mongo.ts'
import { accesspointHandlers } from './accesspoints/handlers.ts'
import { AccesspointStore } from './accesspoints/store.ts'
import { areaHandlers } from './areas/handlers.ts'
import { AreaStore } from './areas/store.ts'
import { CHUNKS_AT_THE_DOOR } from './check-ins/batch-create.ts'
import { checkInErasure } from './check-ins/erasing.ts'
import { checkInHandlers } from './check-ins/handlers.ts'
import { CheckInPages } from './check-ins/listing.ts'
import { personalCheckIns } from './check-ins/resource.ts'
import { CheckInStore } from './check-ins/store.ts'
import { EventTotals } from './counting/event-totals.ts'
import { LateChanges } from './counting/late-changes.ts'
import { Sealer } from './counting/sealer.ts'
import { SegmentStore } from './counting/segments.ts'
import type { Dependencies } from './dependencies.ts'
import { AccessCache } from './door/access-cache.ts'
import { Door } from './door/door.ts'
import { FullAreas } from './door/full-areas.ts'
import { Ledger } from './door/ledger.ts'
import { EntryPoints } from './entries/entry-points.ts'
import { FirstEntries } from './entries/first-entries.ts'
import { EntryReports } from './entries/reports.ts'
import { checkinEventDataHandlers, collections } from './event-data.ts'
import { linkHandlers } from './links/handlers.ts'
import { LinkStore } from './links/store.ts'
import { guestCategories, guests, permissions } from './permissions.ts'
import { checkInOutbox } from './publishing/outbox.ts'
import { CheckInPublisher } from './publishing/publisher.ts'
import * as resources from './resources.ts'
import { scanTimeHandlers } from './scan-times/handlers.ts'
import { ScanTimeStore } from './scan-times/store.ts'
import { signatureHandlers } from './signatures/handlers.ts'
import { personalSignatures } from './signatures/resource.ts'
import { SignatureStore } from './signatures/store.ts'
import { snapshotHandlers } from './snapshots/handlers.ts'
import { Snapshots } from './snapshots/snapshots.ts'
import { walkInHandlers } from './walk-ins/handlers.ts'

/** The settings of the checkin service. */
export const settings = {
  ...serviceSettings,
  redis_url: text({ maxLength: 2000 }),
  cached_guests: integer({
    // More than ten rushes bring to one door within the life of an entry.
    default: 50_000,
    minimum: 1_000,
    maximum: 1_000_000,
    description: 'Guests of all events in memory, some 270 bytes each. Scans of others ask guests first',
  }),
  check_in_undo_minutes: integer({
    default: 15,
    minimum: 0,
    maximum: 1_440,
    description: 'For how long a token of the scope door may delete a check-in that it made',
  }),
}

/** The checkin service: check-in points, areas, links, check-ins, signatures. */
export function start(config: ConfigOf<typeof settings>): Promise<Running> {
  return startService('checkin', permissions, config, async ({ bus, store, serve, domain, log }) => {
    const accesspoints = await prepared(new AccesspointStore(store.db))
    const areas = await prepared(new AreaStore(store.db))
    const links = await prepared(new LinkStore(store.db))
    const checkIns = await prepared(new CheckInStore(store.db))
    const signatures = await prepared(new SignatureStore(store.db))
    const lateChanges = await prepared(new LateChanges(store.db))
    const ledger = new Ledger(config.redis_url, config.namespace, log)
    const changeLog = new ChangeLog(config.redis_url, config.namespace, log)
    const scanTimes = new ScanTimeStore(config.redis_url, config.namespace, log)
    await Promise.all([ledger.connect(), changeLog.connect(), scanTimes.connect()])
    const accessCache = new AccessCache(bus, accesspoints, areas, links, ledger, { maxGuests: config.cached_guests })
    const outbox = await prepared(checkInOutbox({ db: store.db, domain, log }, checkIns))
    const publisher = new CheckInPublisher(outbox)
    const totals = new EventTotals(await prepared(new SegmentStore(store.db)), lateChanges, accesspoints, bus)
    const guestClient = clientOf(bus, guests)
    const entryPoints = new EntryPoints(store.db)
    const entryReports = await prepared(new EntryReports(store.db, checkIns, guestClient, log))
    const sealer = new Sealer(totals, checkIns, log)
    const dependencies: Dependencies = {
      accesspoints,
      areas,
      links,
      checkIns,
      checkInPages: new CheckInPages(store.db),
      entryPoints,
      firstEntries: new FirstEntries(store.db, entryPoints),
      entryReports,
      signatures,
      scanTimes,
      totals,
      accessCache,
      door: new Door(accessCache, checkIns, publisher, entryReports, new FullAreas(totals), log),
      publisher,
      outbox,
      snapshots: new Snapshots(bus, { accesspoints, areas, links, totals }),
      guestCategoryClient: clientOf(bus, guestCategories),
      guestClient,
      changeLog,
      runningScans: new Map(),
      undoMinutes: config.check_in_undo_minutes,
      chunkSlots: new Semaphore(CHUNKS_AT_THE_DOOR, CHUNKS_AT_THE_DOOR),
    }
    serveResources(serve, dependencies)
    const erasures = { [personalCheckIns.name]: checkInErasure(lateChanges, totals, ledger, entryReports) }
    serve(resources.personalData, personalDataHandlers(store.db, [personalCheckIns, personalSignatures], erasures))
    serve(resources.eventData, checkinEventDataHandlers(store.db, accesspoints, entryPoints, ledger))
    outbox.start()
    entryReports.start()
    return {
      cell: { events: collections, anew: ['late_changes', 'check_in_segments'] },
      drain: async () => {
        await accessCache.stop()
        await publisher.stop()
        await Promise.all([outbox.stop(), entryReports.stop()])
      },
      stop: async () => {
        sealer.stop()
        scanTimes.close()
        await Promise.all([ledger.close(), changeLog.close()])
      },
    }
  })
}

function serveResources(serve: ServiceContext['serve'], dependencies: Dependencies): void {
  serve(resources.accesspoints, accesspointHandlers(dependencies))
  serve(resources.areas, areaHandlers(dependencies))
  serve(resources.links, linkHandlers(dependencies))
  serve(resources.checkIns, checkInHandlers(dependencies))
  serve(resources.signatures, signatureHandlers(dependencies))
  serve(resources.snapshots, snapshotHandlers(dependencies))
  serve(resources.scanTimes, scanTimeHandlers(dependencies))
  serve(resources.walkIns, walkInHandlers(dependencies))
}
