import type { Client } from '@gatehouse/proto/bus/client.ts'
import type { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'
import type { ChangeLog } from '@gatehouse/proto/storage/change-log.ts'
import type { AccesspointStore } from './accesspoints/store.ts'
import type { AreaStore } from './areas/store.ts'
import type { CheckInPages } from './check-ins/listing.ts'
import type { CheckInStore } from './check-ins/store.ts'
import type { EventTotals } from './counting/event-totals.ts'
import type { AccessCache } from './door/access-cache.ts'
import type { Door } from './door/door.ts'
import type { EntryPoints } from './entries/entry-points.ts'
import type { FirstEntries } from './entries/first-entries.ts'
import type { EntryReports } from './entries/reports.ts'
import type { LinkStore } from './links/store.ts'
import type { guestCategories, guests } from './permissions.ts'
import type { CheckInOutbox } from './publishing/outbox.ts'
import type { CheckInPublisher } from './publishing/publisher.ts'
import type { ScanTimeStore } from './scan-times/store.ts'
import type { SignatureStore } from './signatures/store.ts'
import type { Snapshots } from './snapshots/snapshots.ts'

/** What the actions of checkin depend on. */
export interface Dependencies {
  accesspoints: AccesspointStore
  areas: AreaStore
  links: LinkStore
  checkIns: CheckInStore
  checkInPages: CheckInPages
  /** Where guests may have come in. */
  entryPoints: EntryPoints
  firstEntries: FirstEntries
  /** Tells guests whose entries have changed. */
  entryReports: EntryReports
  signatures: SignatureStore
  /** How long scans took of late. */
  scanTimes: ScanTimeStore
  totals: EventTotals
  accessCache: AccessCache
  door: Door
  publisher: CheckInPublisher
  /** Publishes deletions; `publisher` everything else. */
  outbox: CheckInOutbox
  snapshots: Snapshots
  guestCategoryClient: Client<typeof guestCategories>
  guestClient: Client<typeof guests>
  /** The doors read each change of points, areas and links from it before the change is answered. */
  changeLog: ChangeLog
  /** The `request_id`s of the scans with an `Idempotency-Key` that are being decided here, by the scans' ids. */
  runningScans: Map<string, string | undefined>
  /** For how long a token of the scope `door` may undo its check-ins. */
  undoMinutes: number
  /** Lets in the chunks of long batches. */
  chunkSlots: Semaphore
}
