import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/* Loaded into each process under attack: on SIGUSR2 it collects garbage and writes what memory is left to a file. */

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  writeFileSync(`${process.env.FUZZ_MEMORY}/${process.pid}.json`, JSON.stringify({ heap: heapUsed + external, rss }))
})
