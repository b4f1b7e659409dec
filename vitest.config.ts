import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { aloneFiles, isDeep, lastFiles } from './test/rounds.ts'

// Workers and the processes that they start inherit both.
// `npm test` makes the same choices in each run, so that nothing in it depends on chance; deep runs differ.
process.env.TEST_SEED ??= isDeep ? String(Date.now() % 1_000_000) : '1'
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/gatehouse`

// The local database writes here what services ask of it (test/mongodb). Started by root it runs as another user.
const commands = mkdtempSync(join(tmpdir(), 'gatehouse-commands-'))
chmodSync(commands, 0o1777)
process.once('exit', () => rmSync(commands, { recursive: true, force: true }))
process.env.MONGOD_COMMANDS = commands

/** A deep test kills its processes a hundred times, and a drill of several minutes is made by a hook. */
const TIMEOUT_MS = isDeep ? 1_800_000 : 600_000

/** Files that take longest, in a deep run too, start first, so that none of them is left for the end. */
const slow = [
  'services/guests/guests/checked-in.test.ts',
  'clients/generator/clients.test.ts',
  'deploy/observability/observability.test.ts',
  'deploy/observability/prometheus.test.ts',
  'cli/event-archive/round-trip.test.ts',
  'services/hooks/losses.test.ts',
  'services/partners/feedback/mail-events/killed.test.ts',
  'drill/ending.test.ts',
  'deploy/local/stack.test.ts',
  'services/hooks/deliveries/deliveries.test.ts',
  'test/tables/answers.test.ts',
  'drill/drill.test.ts',
  'services/mail/sending.test.ts',
  'test/telemetry.test.ts',
  'services/badges/badges/badges.test.ts',
  'cli/up.test.ts',
  'apps/scanner/test/tasks.test.ts',
  'apps/scanner/test/without-network.test.ts',
  'apps/console/test/browser.test.ts',
  'apps/leads/test/browser.test.ts',
  'apps/print/test/browser.test.ts',
  'fuzz/fuzz.test.ts',
  'test/hostile-bodies.test.ts',
]

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const first = slow.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(`/${name}`)))
    return [...new Set([...first, ...sorted])]
  }
}

export default defineConfig({
  test: {
    // A test ends when what it waits for is there; these are for what hangs, however slow the machine is.
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // What is waited for comes at once, but not on a busy machine: vitest's own one second is no bound there.
    expect: { poll: { timeout: isDeep ? 300_000 : 180_000 } },
    // Node itself runs the tests as it runs the product: that takes half as long as Vite's transformation of each module.
    experimental: { viteModuleRunner: false },
    sequence: { sequencer: SlowFirst },
    setupFiles: ['./test/harness/equality.ts', './test/harness/globals.ts'],
    tags: [{ name: 'slow', description: 'costs more than 0.3 seconds of CPU time; `npm test` leaves it out' }],
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          globalSetup: './test/global-setup.ts',
          include: ['**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...aloneFiles, ...lastFiles],
          // The modules of the product are read once by each worker instead of once by each file, which saves a fifth of the CPU time.
          isolate: false,
          // Files wait for their servers, and for time to pass, but each further worker reads the modules and makes its system's collections, for 12 CPU seconds.
          maxWorkers: 1 + availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          globalSetup: './test/global-setup.ts',
          include: isDeep ? aloneFiles : [],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      { extends: true, test: { name: 'last', include: lastFiles, sequence: { groupOrder: 3 } } },
    ],
  },
})
