// @module-tag slow
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPlatform } from '@gatehouse/local/platform'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, type Manifest } from './manifests.ts'
import { Objects } from './objects.ts'

const root = join(import.meta.dirname, '../..')

/** Objects of the stores' charts, which runbooks name. */
const OF_CHARTS = ['statefulset/nats', 'statefulset/redis', 'deployment/nats-box']
const KINDS: Record<string, string> = {
  deployment: 'Deployment',
  cronjob: 'CronJob',
  scaledobject: 'ScaledObject',
  hpa: 'HorizontalPodAutoscaler',
  service: 'Service',
}

/** The commands of a page: its blocks of shell and what it has in code spans. */
function commandsOf(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^ *```(?:sh|console)\n(.*?)^ *```/gms)].map(([, text = '']) =>
    text.replaceAll(/^ *\$ /gm, ''),
  )
  const spans = [...markdown.matchAll(/`((?:kubectl|helm|node|npx) [^`]+)`/g)].map(([, text = '']) => text)
  return [...blocks.flatMap((text) => text.replaceAll('\\\n', ' ').split('\n')), ...spans]
}

const pages = ['docs/kubernetes.md', 'docs/operations.md']
const commands = (await Promise.all(pages.map((page) => readFile(join(root, page), 'utf8')))).flatMap(commandsOf)

// No cluster runs here: what commands name is looked up in what is deployed.
describe.runIf(findPlatform())('the commands of the runbooks', () => {
  let objects: Objects
  beforeAll(async () => {
    objects = new Objects(await build(join(root, 'deploy/k8s/overlays/production')))
  })

  test('name objects and containers that there are', () => {
    const named = commands.flatMap((command) =>
      [...command.matchAll(/\b(deployment|statefulset|cronjob|scaledobject|hpa|service)\/([\w-]+)/g)].map(
        ([text, kind = '', name = '']) => ({ text, command, object: objects.named(KINDS[kind] ?? kind, name) }),
      ),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(
      named.filter(({ text, object }) => !object && !OF_CHARTS.includes(text)).map(({ command }) => command),
    ).toEqual([])
    // The container `bucket` is that of the component backup-s3.
    for (const { command, object } of named) {
      const [, container] = /--container (\S+)/.exec(command) ?? []
      if (!container || !object || container === 'bucket') continue
      expect(
        object.spec.template.spec.containers.map(({ name }: Manifest) => `${name}`),
        command,
      ).toContain(container)
    }
  })

  test('select pods that there are', () => {
    const selectors = commands.flatMap((command) =>
      [...command.matchAll(/--selector app\.kubernetes\.io\/name=(\S+)/g)].map(([, name = '']) => name),
    )
    const labels = objects.pods.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/name'])
    expect(selectors.length).toBeGreaterThan(1)
    expect(labels).toEqual(expect.arrayContaining(selectors))
  })

  test('scale all that is stopped', () => {
    const start = commands.find((command) => /^kubectl scale deployment (\w+ )+--replicas 2$/.test(command)) ?? ''
    const started = start.split(' ').slice(3, -2)
    const scaled = objects.of('ScaledObject').map(({ spec }) => spec.scaleTargetRef.name)
    const off = objects.of('Deployment').filter(({ spec }) => spec.replicas === 0)
    const names = objects.of('Deployment').map(({ metadata }) => metadata.name)
    const wanted = names.filter((name) => !scaled.includes(name) && !off.some(({ metadata }) => metadata.name === name))
    expect(started.toSorted()).toEqual(wanted.toSorted())
  })

  test('read files that there are', () => {
    const files = commands.flatMap((command) =>
      [...command.matchAll(/\b(?:deploy|cli|gateway|services)\/[\w./-]+/g)].map(([path]) => path),
    )
    expect(files.length).toBeGreaterThan(10)
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
