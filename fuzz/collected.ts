import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectGarbage } from '@gatehouse/proto/process/garbage.ts'

/* Loaded into each process under attack: on SIGUSR2 it collects garbage and writes what memory is left to a file. */

const COLLECTIONS = 3
const PAUSE_MS = 300

process.on('SIGUSR2', async () => {
  // What work that ends meanwhile leaves, and the memory of buffers, is free only after further collections.
  for (let n = 0; n < COLLECTIONS; n++) {
    collectGarbage()
    await sleep(PAUSE_MS)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  writeFileSync(`${process.env.FUZZ_MEMORY}/${process.pid}.json`, JSON.stringify({ heap: heapUsed + external, rss }))
})
