import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { managerOf } from '@gatehouse/proto/events/streams.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { deep } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'
import { manifestsIn } from './manifests.ts'

test('processes are scaled by queues that exist', deep, async () => {
  const scalers = manifestsIn(await readFile(join(import.meta.dirname, 'components/autoscaling/scalers.yaml'), 'utf8'))
  const triggers = scalers.flatMap(({ spec }) => spec.triggers ?? [])
  expect(triggers).toHaveLength(3)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-mail-'))
  const system = await startSystem({ with: ['badges', 'hooks', 'partners', 'mail'], mail: { mail_folder: folder } })
  try {
    const manager = await managerOf(system.bus)
    for (const { metadata } of triggers) {
      const stream = metadata.stream.replace('gatehouse', system.namespace)
      await expect
        .poll(() => manager.consumers.info(stream, metadata.consumer).then(({ name }) => name))
        .toBe(metadata.consumer)
    }
  } finally {
    await system.stop()
    await rm(folder, { recursive: true })
  }
})
