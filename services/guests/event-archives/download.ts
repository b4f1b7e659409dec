import { setTimeout as sleep } from 'node:timers/promises'
import { yieldingPause } from '@gatehouse/proto/concurrency/yielding-pause.ts'
import { type Call, type Download, required } from '@gatehouse/proto/declaring/resource.ts'
import { SUFFIX } from '@gatehouse/proto/formats/archives/manifest.ts'
import {
  type ArchivePart,
  type ArchivePosition,
  type ArchiveSource,
  archivePart,
  losePatience,
} from '@gatehouse/proto/formats/archives/writing.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import manifest from '../../../package.json' with { type: 'json' }
import type { Dependencies } from '../dependencies.ts'
import { lineOf } from './line.ts'
import type { eventArchives } from './resource.ts'
import { sealFor } from './sealing.ts'

/** Archives that have taken this long no longer yield, as files of badges. */
const PATIENCE_MS = 60_000
/** Pause where a record is about to change, and how often the first part is tried: before it is sent, a refusal can say what is in the way. */
const UNFINISHED_MS = 500
const FIRST_TRIES = 6

/** Makes the archive of an event, part by part. */
export async function download(
  dependencies: Dependencies,
  { params: { event_id }, part, caller }: Call<typeof eventArchives.actions.download>,
): Promise<Download> {
  if (part.is_given_up) return { bytes: new Uint8Array() }
  const { events, encrypter, eventDataServices } = dependencies
  const { account_id } = required(caller)
  const source: ArchiveSource = {
    event: { account_id, event_id },
    version: manifest.version,
    services: eventDataServices,
    read: async () => lineOf(found(await events.get(event_id))),
    seal: async (digest) => sealFor(encrypter, digest),
  }
  const from = part.after === undefined ? undefined : (JSON.parse(part.after) as ArchivePosition)
  const start = performance.now()
  const used = process.threadCpuUsage()
  const { bytes, next } = await (from ? archivePart(source, from) : firstPart(source))
  const filename = `event-${event_id}.${SUFFIX}`
  if (!next) return { bytes, filename }
  const { user, system } = process.threadCpuUsage(used)
  const waitedMs = Math.max(0, performance.now() - start - (user + system) / 1_000)
  const pause = yieldingPause(waitedMs, Date.now() - Date.parse(next.exported_at), PATIENCE_MS)
  const pause_ms = Math.round(next.unfinished ? UNFINISHED_MS : pause)
  return { bytes, filename, next: { after: JSON.stringify(next), pause_ms } }
}

async function firstPart(source: ArchiveSource): Promise<ArchivePart> {
  let made = await archivePart(source)
  for (let tries = 1; made.next?.unfinished; tries++) {
    if (tries % FIRST_TRIES === 0) losePatience(made.next)
    await sleep(UNFINISHED_MS)
    const more = await archivePart(source, made.next)
    made = { ...more, bytes: Buffer.concat([made.bytes, more.bytes]) }
  }
  return made
}
