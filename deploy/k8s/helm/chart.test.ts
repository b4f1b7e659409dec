// @module-tag slow
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import { findPlatform } from '@gatehouse/local/platform'
import { answer, startAnswering } from '@gatehouse/test/harness/answering-server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { build, type Manifest, manifestsIn, schemaProblems } from '../manifests.ts'
import { Objects, selects } from '../objects.ts'
import { brokenReferences } from '../references.ts'
import { STORES_CA } from '../secrets.ts'
import { canRunHelm, chartIn, findHelm, render } from './helm.ts'
import { valuesIn, withValues } from './readme.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
const yaml = async (path: string): Promise<Manifest[]> => manifestsIn(await read(path))

const BUNDLED = ['nats', 'mongodb', 'redis'].map((name) => `--set=${name}.enabled=true`)

/**
 * Returns objects by kind and name, without what differs between kustomize and Helm by their nature: who manages them, their namespace, which Helm
 * does not write, what a deletion spares, and how processes restart when a setting changes.
 */
function normalised(objects: readonly Manifest[]): Record<string, Manifest> {
  const entries = objects.map((each) => {
    const { namespace: _, labels = {}, annotations, ...metadata } = each.metadata
    const { 'helm.sh/resource-policy': __, ...rest } = annotations ?? {}
    const isAnnotated = Object.keys(rest).length > 0
    const text = JSON.stringify({ ...each, metadata: { ...metadata, ...(isAnnotated && { annotations: rest }) } })
    const object = JSON.parse(text.replaceAll(/gatehouse-settings-\w{10}"/g, 'gatehouse-settings"')) as Manifest
    const own = Object.entries(labels).filter(([key]) => !/\/(managed-by|part-of|chart)$/.test(key))
    if (own.length > 0) object.metadata.labels = Object.fromEntries(own)
    const pod = object.spec?.template?.metadata
    if (pod?.annotations) {
      delete pod.annotations['checksum/settings']
      if (Object.keys(pod.annotations).length === 0) delete pod.annotations
    }
    return [`${object.kind} ${object.metadata.name}`, object] as const
  })
  expect(new Set(entries.map(([key]) => key)).size).toBe(objects.length)
  return Object.fromEntries(entries)
}

/** The objects that `helm test` makes. */
const isHook = ({ metadata }: Manifest): boolean => metadata.annotations?.['helm.sh/hook'] !== undefined

test('README.md has the values of the chart; write it with: npm run chart', async () => {
  const text = await read('deploy/helm/README.md')
  expect(await withValues(text)).toBe(text)
})

test('values.yaml explains each value, and the schema knows it', async () => {
  const text = await read('deploy/helm/values.yaml')
  const explained = valuesIn(text).map(({ path }) => path)
  const { properties } = JSON.parse(await read('deploy/helm/values.schema.json'))
  const values = parse(text) as Record<string, unknown>
  for (const [name, value] of Object.entries(values)) {
    expect(properties).toHaveProperty(name)
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    const paths = isMap ? Object.keys(value).map((key) => `${name}.${key}`) : []
    const missing = paths.filter((path) => !explained.includes(path))
    expect.soft(explained.includes(name) ? [] : isMap ? missing : [name], name).toEqual([])
  }
})

test('NATS of the release has the values of deploy/k8s/stores', async () => {
  const { enabled, ...values } = parse(await read('deploy/helm/values.yaml')).nats
  expect(enabled).toBe(false)
  expect(values).toEqual(parse(await read('deploy/k8s/stores/nats-values.yaml')))
})

test('the charts of the stores are those of docs/kubernetes.md', async () => {
  const docs = await read('docs/kubernetes.md')
  const { dependencies } = parse(await read('deploy/helm/Chart.yaml'))
  expect(dependencies).toHaveLength(3)
  for (const { name, version, repository } of dependencies)
    expect(docs).toMatch(
      new RegExp(`chart \\[\`${name}\`\\]\\(\\S+\\) ${version},[^]*helm repo add \\S+ ${repository}\n`),
    )
})

// Helm and kubectl are fetched if the machine has none.
describe.runIf(canRunHelm && findPlatform())('rendered by Helm', () => {
  let folder: string
  let chart: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-chart-'))
    chart = await chartIn(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('by default the chart is the overlay production, with its priorities', async () => {
    const [production, cluster] = [
      await build(join(root, 'deploy/k8s/overlays/production')),
      await yaml('deploy/k8s/cluster.yaml'),
    ]
    const wanted = [
      ...production,
      ...cluster.filter(({ kind }) => kind === 'PriorityClass'),
      ...(await yaml('deploy/k8s/components/backup/claim.yaml')),
    ]
    const rendered = (await render(chart)).filter((each) => !isHook(each))
    expect(normalised(rendered)).toEqual(normalised(wanted))
  })

  test('with values-development.yaml it is the overlay development', async () => {
    const args = ['--values', join(chart, 'values-development.yaml'), '--set=priorityClasses.create=false']
    const rendered = (await render(chart, ...args)).filter((each) => !isHook(each))
    expect(normalised(rendered)).toEqual(normalised(await build(join(root, 'deploy/k8s/overlays/development'))))
  })

  test('`helm test` asks a gateway, and fails while that is not ready', async () => {
    const asking = (await render(chart)).find((each) => each.kind === 'Pod' && isHook(each))
    const gateway = await startAnswering([answer(503, { mail: false }), answer(200, { mail: true })])
    const args = asking?.spec.containers[0].args.map((each: string) => each.replace('http://gateway', gateway.url))
    await expect(execute(process.execPath, args)).rejects.toThrow('503 {"mail":false}')
    expect(await execute(process.execPath, args)).toBe('200 {"mail":true}\n')
    expect(gateway.asked.map(({ url }) => url)).toEqual(['/readyz', '/readyz'])
    gateway.close()
  })

  test('backups in a bucket are those of the component backup-s3', async () => {
    const overlay = join(folder, 'overlay')
    await mkdir(overlay)
    const components = ['backup', 'backup-s3'].map((name) =>
      relative(overlay, join(root, 'deploy/k8s/components', name)),
    )
    await writeFile(join(overlay, 'kustomization.yaml'), stringify({ namespace: 'gatehouse', components }))
    const rendered = normalised(await render(chart, '--set=backup.s3.secretName=backup-s3'))
    const wanted = normalised(await build(overlay))
    expect(Object.keys(wanted).toSorted()).toEqual([
      'ConfigMap backup-scripts',
      'CronJob gatehouse-backup',
      'Deployment restore',
      'NetworkPolicy backup-s3',
    ])
    for (const [name, object] of Object.entries(wanted)) expect(rendered[name]).toEqual(object)
    expect(rendered['PersistentVolumeClaim backups']).toBeUndefined()
  })

  test('stores of the release are those of deploy/k8s/stores', async () => {
    const rendered = normalised(await render(chart, ...BUNDLED))
    const wanted = normalised([
      ...(await yaml('deploy/k8s/stores/mongodb.yaml')),
      ...(await yaml('deploy/k8s/stores/redis.yaml')),
      ...manifestsIn(
        (await read('deploy/k8s/stores/certificates.yaml')).replaceAll('.gatehouse-stores.', '.gatehouse.'),
      ),
    ])
    expect(Object.keys(wanted)).toHaveLength(10)
    for (const [name, object] of Object.entries(wanted)) expect(rendered[name]).toEqual(object)
  })

  test('stores of the release admit the processes that have their credentials, and reach whom they like', async () => {
    const objects = new Objects(await render(chart, ...BUNDLED))
    const stores: [name: string, labels: Record<string, string>, port: number][] = [
      ['nats', { 'app.kubernetes.io/name': 'nats' }, 4222],
      ['mongodb', { app: 'mongodb-svc' }, 27017],
      ['redis', { app: 'redis' }, 6379],
    ]
    for (const [name, labels, port] of stores) {
      expect(objects.allowed('egress', labels), name).toEqual(['anyone any port'])
      const rule = objects
        .named('NetworkPolicy', `${name}-server`)
        ?.spec.ingress.find((each: Manifest) => each.ports?.[0].port === port)
      for (const { metadata } of objects.pods.filter(({ metadata }) => metadata.name !== 'gatehouse-test')) {
        const reaches = objects
          .allowed('egress', metadata.labels ?? {})
          .some((each) => each.startsWith('gatehouse/') && each.endsWith(` ${port}`))
        expect(selects(rule?.from[0].podSelector, metadata.labels), `${name}: ${metadata.name}`).toBe(reaches)
      }
    }
  })

  test.each([
    ['by default'],
    ['with an Ingress', '--set=exposure=Ingress,className=nginx,proxyNamespace=ingress-nginx'],
    [
      'with nothing that leads to it, monitors it or scales it',
      '--set=exposure=None,monitoring.enabled=false,autoscaling.enabled=false',
    ],
    [
      'with a certificate of your own, and stores outside, whose authority Node knows',
      '--set=tls.clusterIssuer=,tls.storesCa=',
      '--set-json=networkPolicies.outsideStores=[{"cidr":"10.1.2.0/24","ports":[27017]}]',
    ],
    [
      'with what pods may have',
      '--set-json=nodeSelector={"a":"b"}',
      '--set-json=tolerations=[{"key":"doors","operator":"Exists"}]',
      '--set-json=processes.hooks.tolerations=[{"key":"web","operator":"Exists"}]',
      '--set-json=extraEnv=[{"name":"A","value":"b"}]',
      '--set-json=imagePullSecrets=["registry"]',
      '--set-json=podLabels={"team":"events"}',
      '--set-json=podAnnotations={"a":"b"}',
      '--set-json=affinity={"podAffinity":{}}',
      '--set=image.pullPolicy=Always',
    ],
  ])('objects are valid and refer to what exists: %s', async (_what, ...args) => {
    const rendered = await render(chart, ...args)
    expect((await Promise.all(rendered.map(schemaProblems))).flat()).toEqual([])
    expect(brokenReferences(new Objects(rendered))).toEqual([])
  })

  test('alerts lead to the runbooks of the host', async () => {
    const rule = new Objects(await render(chart, '--set=host=events.example.com')).of('PrometheusRule')
    const urls = JSON.stringify(rule).match(/"runbook_url":"https:\/\/[^/]+/g)
    expect(new Set(urls)).toEqual(new Set(['"runbook_url":"https://events.example.com']))
  })

  test('values reach each process', async () => {
    const objects = new Objects(
      await render(
        chart,
        '--set-json=nodeSelector={"a":"b"}',
        '--set-json=processes.hooks.nodeSelector={"c":"d"}',
        '--set-json=processes.hooks.tolerations=[{"key":"web","operator":"Exists"}]',
        '--set-json=extraEnv=[{"name":"A","value":"b"}]',
        '--set-json=imagePullSecrets=["registry"]',
        `--set=image.digest=sha256:${'0'.repeat(64)},autoscaling.enabled=false,processes.hooks.replicas=3`,
      ),
    )
    for (const { where, pod, container } of objects.containers) {
      expect(pod.imagePullSecrets, where).toEqual([{ name: 'registry' }])
      if (/^(gatehouse-backup|restore)\//.test(where)) continue
      expect(container.image, where).toBe(`registry.example.org/gatehouse@sha256:${'0'.repeat(64)}`)
      if (where !== 'gatehouse-test/test') expect(container.env, where).toContainEqual({ name: 'A', value: 'b' })
      expect(pod.nodeSelector, where).toEqual(where === 'hooks/hooks' ? { a: 'b', c: 'd' } : { a: 'b' })
    }
    const hooks = objects.named('Deployment', 'hooks')?.spec
    expect(hooks.replicas).toBe(3)
    expect(hooks.template.spec.tolerations).toHaveLength(3)
  })

  test('made secrets give processes and stores the same passwords, and stay when the release goes', async () => {
    const objects = new Objects(await render(chart, ...BUNDLED, '--set=secrets.create=true'))
    const textOf = (name: string, key: string): string => {
      const { data = {}, stringData = {} } = objects.named('Secret', name) ?? ({} as Manifest)
      return stringData[key] ?? Buffer.from(data[key] ?? '', 'base64').toString()
    }
    for (const name of ['checkin', 'hooks', 'sso']) {
      const url = (key: string) => new URL(textOf(`gatehouse-${name}`, key))
      expect([url('NATS_URL').protocol, url('MONGODB_URL').searchParams.get('tlsCAFile')]).toEqual(['tls:', STORES_CA])
      expect(url('NATS_URL').host).toBe('nats.gatehouse.svc.cluster.local:4222')
      expect(url('NATS_URL').password).toBe(textOf('nats-passwords', `NATS_PASSWORD_${name.toUpperCase()}`))
      expect(url('MONGODB_URL').password).toBe(textOf(`mongodb-${name}`, 'password'))
    }
    expect(new URL(textOf('gatehouse-guests', 'REDIS_URL')).password).toBe(textOf('redis', 'password'))
    expect(Buffer.from(textOf('gatehouse-sso', 'SECRETS_KEY'), 'base64')).toHaveLength(32)
    expect(textOf('gatehouse-sso', 'SECRETS_KEY')).toBe(textOf('gatehouse-guests', 'SECRETS_KEY'))
    for (const { metadata } of objects.of('Secret'))
      expect(metadata.annotations, metadata.name).toEqual({ 'helm.sh/resource-policy': 'keep' })
  })

  test.each([
    ['secrets for stores that are not of this release', 'secrets.create=true', 'nats.enabled'],
    ['stores of this release without their authority', 'redis.enabled=true,tls.storesCa=', 'tls.storesCa'],
    ['a way in that is none', 'exposure=gateway', 'exposure'],
    ['a value that there is not', 'hots=a', 'hots'],
    ['a setting that is no text', 'settings.TRUST_PROXY=true', 'TRUST_PROXY'],
  ])('%s is refused', async (_what, value, named) => {
    await expect(render(chart, '--set', value)).rejects.toThrow(named)
  })

  test('Helm finds no fault in it', async () => {
    expect(await execute(await findHelm(console.error), ['lint', '--strict', chart])).toContain('0 chart(s) failed')
  })
})
