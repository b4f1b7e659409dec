import { retrying } from '../../../../clients/typescript/retrying.ts'
import { whileItComes } from '../server/progress.ts'

/** How long a file may take with its retries: browsers end an installation after five minutes. */
const DEADLINE_MS = 240_000
/** How long nothing of a file may come. */
const IDLE_TIMEOUT_MS = 15_000

const ask = retrying(
  whileItComes((request, init) => fetch(request, init), IDLE_TIMEOUT_MS),
  DEADLINE_MS,
)

/**
 * Keeps each of the files that is not kept yet, and asks again for one that is lost on the way. Rejects when one can't be had; the others are kept
 * by then, so that the next attempt asks for what is missing only.
 */
export async function keepAll(cache: Cache, files: readonly string[]): Promise<void> {
  const kept = await Promise.allSettled(files.map((file) => keep(cache, file)))
  for (const each of kept) if (each.status === 'rejected') throw each.reason
}

async function keep(cache: Cache, file: string): Promise<void> {
  if (await cache.match(file)) return
  const answer = await ask(new Request(file))
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`)
  await cache.put(file, answer)
}
