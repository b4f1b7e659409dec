import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPlatform } from '@gatehouse/local/platform'
import { managerOf } from '@gatehouse/proto/events/streams.ts'
import { startSystem } from '@gatehouse/test/harness/system.ts'
import { deep, sampled, slow } from '@gatehouse/test/rounds.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, manifestsIn } from './build.ts'
import { broken, invalid, overlays, storeFiles, storesFolder } from './check.ts'
import type { Manifest } from './manifest.ts'
import { scalerOf } from './manifests.ts'
import { processNames, sizeOf } from './processes.ts'
import { type Stores, storeProblems } from './rules/stores.ts'
import { missingSecrets, secretsIn } from './secrets.ts'
import { generatedFiles } from './write.ts'

const [development = '', production = ''] = overlays
const log = (line: string) => console.error(line)

test('the generated files are those which are committed', async () => {
  for (const [path, text] of Object.entries(await generatedFiles()))
    expect(await readFile(join(import.meta.dirname, path), 'utf8'), `${path}: npm run k8s`).toBe(text)
})

/** Changes of a store: what said of it. */
const refusedStores: [change: string, said: RegExp, change: (stores: Stores) => void][] = [
  [
    'users which only the pod gives NATS, after its sidecar took its mounts',
    /NATS starts. reloader starts with .etc.nats-users.users.conf and does not mount it/,
    ({ nats }) => {
      const patch = nats.container?.patch ?? []
      const mount = patch.map((step) => ({ ...step, path: `/spec/containers/0${step.path}` }))
      nats.container = { patch: [] }
      nats.podTemplate?.patch?.push(...mount)
    },
  ],
  [
    'users which nobody mounts',
    /nats starts with .etc.nats-users.users.conf and does not mount it/,
    ({ nats }) => {
      nats.container = { patch: [] }
    },
  ],
  [
    'users without a volume',
    /mounts no volume users/,
    ({ nats }) => {
      nats.podTemplate = { ...nats.podTemplate, patch: [] }
    },
  ],
  [
    'a configuration which the sidecar does not get',
    /reloader starts with .etc.nats-config.nats.conf/,
    ({ nats }) => {
      nats.reloader = { natsVolumeMountPrefixes: ['/etc/nats-users'] }
    },
  ],
  [
    'servers of NATS on one node',
    /Two servers of NATS/,
    ({ nats }) => {
      nats.podTemplate = { patch: nats.podTemplate?.patch ?? [] }
    },
  ],
  [
    'MongoDB without a budget',
    /MongoDB has no PodDisruptionBudget/,
    (stores) => {
      stores.manifests = stores.manifests.filter(({ kind }) => kind !== 'PodDisruptionBudget')
    },
  ],
  [
    'members on one node',
    /MongoDB may have two members on a node/,
    ({ manifests }) => {
      for (const { kind, spec } of manifests)
        if (kind === 'MongoDBCommunity') delete spec.statefulSet.spec.template.spec.topologySpreadConstraints
    },
  ],
]

test.each(refusedStores)('%s: refused', async (_change, said, change) => {
  const stores = structuredClone(await storeFiles())
  change(stores)
  expect(storeProblems(stores).join('\n')).toMatch(said)
})

/** Secrets as a cluster gives them. */
function asStored(secrets: Manifest[]): Manifest[] {
  return secrets.map(({ stringData, data, ...rest }) => {
    const encoded = Object.entries<string>(stringData).map(([key, value]) => [
      key,
      Buffer.from(value).toString('base64'),
    ])
    return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } }
  })
}

const NEW = missingSecrets([], { SMTP_URL: 'smtp://mail.example.org' })

describe('a second run of the Secrets', () => {
  const stored = asStored(NEW)
  const without = (...names: string[]) => stored.filter(({ metadata }) => !names.includes(metadata.name))
  const textOf = (secrets: Manifest[], name: string, key: string) =>
    secrets.find(({ metadata }) => metadata.name === name)?.stringData[key]

  test('changes nothing, also where the environment has other values', () => {
    const printed = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: stored })
    expect(missingSecrets(secretsIn(printed), { SMTP_URL: 'smtp://other.example.org' })).toEqual([])
  })

  test('gives a new service the key of the others, and a password which its stores get too', () => {
    const before = structuredClone(without('gatehouse-hooks', 'mongodb-hooks'))
    const passwords = before.find(({ metadata }) => metadata.name === 'nats-passwords')
    delete passwords?.data.NATS_PASSWORD_HOOKS
    const missing = missingSecrets(before, {})
    expect(missing.map(({ metadata }) => metadata.name).toSorted()).toEqual(
      ['gatehouse-hooks', 'mongodb-hooks', 'nats-passwords'].toSorted(),
    )
    const url = (key: string) => new URL(textOf(missing, 'gatehouse-hooks', key) ?? '')
    expect(textOf(missing, 'nats-passwords', 'NATS_PASSWORD_HOOKS')).toBe(url('NATS_URL').password)
    expect(textOf(missing, 'mongodb-hooks', 'password')).toBe(url('MONGODB_URL').password)
    expect(textOf(missing, 'gatehouse-hooks', 'SECRETS_KEY')).toBe(textOf(NEW, 'gatehouse-sso', 'SECRETS_KEY'))
    // `kubectl apply` takes away what an object had and has no more.
    expect(missing.find(({ metadata }) => metadata.name === 'nats-passwords')?.data).toEqual(passwords?.data)
    expect(missingSecrets([...before, ...asStored(missing)].reverse(), {})).toEqual([])
  })

  test.each(NEW.map(({ metadata }) => metadata.name))('makes %s anew as it was, from the others', (name) => {
    const missing = missingSecrets(without(name), { SMTP_URL: 'smtp://mail.example.org' })
    expect(missing).toEqual(NEW.filter(({ metadata }) => metadata.name === name))
  })

  test('refuses Secrets which contradict each other', () => {
    const other = asStored(missingSecrets([], {})).filter(({ metadata }) => metadata.name === 'nats-passwords')
    expect(() => missingSecrets([...without('nats-passwords'), ...other], {})).toThrow(
      'NATS_URL of gatehouse-gateway and NATS_PASSWORD_GATEWAY of nats-passwords contradict each other',
    )
  })
})

test('the documented version of KEDA knows what its objects use', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/kubernetes.md'), 'utf8')
  const [, major, minor] = /KEDA (\d+)\.(\d+) or newer/.exec(text) ?? []
  const usesBehavior = processNames.map(scalerOf).some(({ spec }) => spec.fallback?.behavior)
  // `fallback.behavior` came with 2.17.
  expect(Number(major) * 1_000 + Number(minor)).toBeGreaterThanOrEqual(usesBehavior ? 2_017 : 0)
})

test('the values for the charts of the stores are YAML', async () => {
  const files = (await readdir(storesFolder)).filter((name) => name.endsWith('.yaml'))
  for (const file of files)
    expect(manifestsIn(await readFile(join(storesFolder, file), 'utf8')).length).toBeGreaterThan(0)
})

// kubectl comes from Debian where the machine has none.
describe.runIf(findPlatform())('built by kustomize', () => {
  const built: Record<string, Manifest[]> = {}
  beforeAll(async () => {
    for (const folder of [...overlays, storesFolder]) built[folder] = await build(folder, log)
  })

  test.each(sampled(overlays, 2))('%s is valid and keeps all rules', slow, async (folder) => {
    expect(built[folder]?.length).toBeGreaterThan(30)
    expect(await invalid(built[folder] ?? [])).toEqual([])
    expect(await broken(built[folder] ?? [])).toEqual([])
  })

  test('what belongs to the stores is valid and keeps its rules', async () => {
    const stores = await storeFiles()
    const budgets = stores.manifests.filter(({ kind }) => kind === 'PodDisruptionBudget')
    expect(built[storesFolder]?.length).toBeGreaterThan(3)
    expect(await invalid([...(built[storesFolder] ?? []), ...budgets])).toEqual([])
    expect(storeProblems(stores)).toEqual([])
  })

  test('production runs each process twice at least, and scales it', () => {
    const scalers = (built[production] ?? []).filter(({ kind }) =>
      /^(HorizontalPodAutoscaler|ScaledObject)$/.test(kind),
    )
    const least = scalers.map(({ spec }) => [spec.scaleTargetRef.name, spec.minReplicas ?? spec.minReplicaCount])
    expect(Object.fromEntries(least)).toEqual(Object.fromEntries(processNames.map((name) => [name, 2])))
    const replicas = (built[production] ?? []).filter(
      ({ kind, spec }) => kind === 'Deployment' && spec.replicas !== undefined,
    )
    expect(replicas.map(({ metadata }) => metadata.name)).toEqual(['cli'])
  })

  const POD = 'spec.template.spec'
  const CONTAINER = `${POD}.containers.0`
  const ofCheckin = (key: string) => ({ name: key, valueFrom: { secretKeyRef: { name: 'gatehouse-checkin', key } } })
  const nobody = { 'app.kubernetes.io/name': 'nobody' }

  /** Changes to production: which objects (kind, or kind and name), which field, its value (undefined: none), and what is said of it. */
  const refused: [change: string, objects: string, path: string, value: unknown, said: RegExp][] = [
    ['an unknown field', 'Deployment', 'spec.replica', 2, /\/spec\/replica: is not a field/],
    ['an unknown field far within', 'Deployment', `${CONTAINER}.env.0.valu`, '', /env\/0\/valu: is not a field/],
    ['a wrong type', 'Service', 'spec.ports.0.port', 'http', /\/spec\/ports\/0\/port: must be integer/],
    ['a missing field', 'Service', 'spec.ports.0.port', undefined, /must have required property port/],
    ['an unknown kind', 'Service', 'kind', 'Servise', /v1 Servise: no such kind is known/],
    ['an unknown version', 'HorizontalPodAutoscaler', 'apiVersion', 'autoscaling/v3', /no such kind is known/],
    ["an unknown field of KEDA's", 'ScaledObject', 'spec.minReplicas', 1, /\/spec\/minReplicas: is not a field/],
    ["a wrong type of KEDA's", 'ScaledObject', 'spec.triggers.0.metadata.lagThreshold', 8, /must be string/],
    ["an unknown field of the Gateway API's", 'HTTPRoute', 'spec.rules.0.timeout', '1s', /timeout: is not a field/],
    ['a process which may be root', 'Deployment', `${POD}.securityContext.runAsUser`, 0, /may be root/],
    ['a writable file system', 'Deployment', `${CONTAINER}.securityContext.readOnlyRootFilesystem`, false, /may write/],
    ['a capability', 'Deployment', `${CONTAINER}.securityContext.capabilities.add`, ['NET_RAW'], /has capabilities/],
    ['the network of the node', 'Deployment', `${POD}.hostNetwork`, true, /shares namespaces/],
    [
      'an unbounded container',
      'Deployment',
      `${POD}.initContainers`,
      [{ name: 'a', image: 'a' }],
      /no limit of memory/,
    ],
    ['a token of the cluster', 'Deployment', `${POD}.automountServiceAccountToken`, undefined, /has a token/],
    ['a credential in the settings', 'ConfigMap', 'data.SMTP_URL', 'smtp://mail.example.org', /no secret.*SMTP_URL/],
    [
      'a password in an address',
      'ConfigMap',
      'data.OTEL_EXPORTER_OTLP_ENDPOINT',
      'http://a:b@host',
      /no secret stands/,
    ],
    ['a setting which nobody knows', 'ConfigMap', 'data.TRUST_PROXIES', '1', /every setting is known.*TRUST_PROXIES/],
    ['a setting which is not valid', 'ConfigMap', 'data.DEADLINE_MS', '1', /each process starts.*DEADLINE_MS/],
    [
      'a credential of another',
      'Deployment/guests',
      `${CONTAINER}.env.5`,
      ofCheckin('REDIS_URL'),
      /declared with.*REDIS_URL/,
    ],
    ['all of a Secret', 'Deployment/guests', `${CONTAINER}.envFrom.1`, { secretRef: { name: 'a' } }, /all of a Secret/],
    [
      'a missing probe',
      'Deployment/guests',
      `${CONTAINER}.livenessProbe`,
      undefined,
      /whether it lives.*livenessProbe/,
    ],
    ['a budget which lets nobody go', 'PodDisruptionBudget', 'spec.maxUnavailable', 0, /does not let one go/],
    ['a budget of nobody', 'PodDisruptionBudget', 'spec.selector.matchLabels', nobody, /has 0 PodDisruptionBudgets/],
    [
      'processes which share a node',
      'Deployment',
      `${POD}.topologySpreadConstraints.1`,
      undefined,
      /are spread.*hostname/,
    ],
    ['a process without a policy', 'NetworkPolicy/mail', 'spec.podSelector.matchLabels', nobody, /is forbidden.*mail/],
    [
      'a name server out of reach',
      'NetworkPolicy/mail',
      'spec.egress.0.to',
      [{ namespaceSelector: {} }],
      /reaches the name servers.* mail/,
    ],
    [
      'a certificate which nobody can issue',
      'NetworkPolicy/acme-solver',
      'spec.ingress.0.ports.0.port',
      80,
      /can be issued.* gatehouse/,
    ],
    ['an open network', 'NetworkPolicy/default-deny', 'spec.ingress', [{}], /is forbidden.*no policy forbids/],
    ['a scaler of nothing', 'ScaledObject', 'spec.scaleTargetRef.name', 'nobody', /scales nothing/],
    ['a route to nowhere', 'HTTPRoute', 'spec.rules.0.backendRefs', [{ name: 'nobody', port: 80 }], /leads nowhere/],
    ['a Service of nobody', 'Service', 'spec.selector', nobody, /gateway: selects no pod/],
    ['settings which are not there', 'ConfigMap', 'metadata.name', 'others', /is there.*gatehouse-settings/],
    ['a process which runs another', 'Deployment/sso', `${CONTAINER}.args`, ['gateway/main.ts'], /no Deployment runs/],
  ]

  test.each(refused)('%s is refused', async (_change, objects, path, value, said) => {
    const manifests = structuredClone(built[production] ?? [])
    const [kind, name] = objects.split('/')
    const changed = manifests.filter((each) => each.kind === kind && (!name || each.metadata.name === name))
    expect(changed.length).toBeGreaterThan(0)
    const steps = path.split('.')
    const last = steps.pop() ?? ''
    for (const manifest of changed) {
      // biome-ignore lint/suspicious/noExplicitAny: any field of any kind
      const parent = steps.reduce((field: any, step) => field[step], manifest)
      if (value !== undefined) parent[last] = value
      else if (Array.isArray(parent)) parent.splice(Number(last), 1)
      else delete parent[last]
    }
    const problems = await invalid(manifests)
    expect((problems.length > 0 ? problems : await broken(manifests)).join('\n')).toMatch(said)
  })

  test('rules hold for whatever else runs', async () => {
    const spec = { containers: [{ name: 'busy', image: 'busybox' }] }
    const template = { metadata: { labels: { app: 'other' } }, spec }
    const others: Manifest[] = [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod', labels: { app: 'other' } }, spec },
      { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'job' }, spec: { template } },
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'cron' },
        spec: { jobTemplate: { spec: { template } } },
      },
    ]
    const problems = (await broken([...(built[production] ?? []), ...others])).join('\n')
    for (const { metadata } of others) {
      expect(problems).toContain(`no rights. ${metadata.name}/busy: may be root`)
      expect(problems).toMatch(new RegExp(`is forbidden.*[.] ${metadata.name}$`, 'm'))
    }
  })

  test('policies let each process reach what docs/operations.md says it needs, and nothing else', async () => {
    const text = await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
    const needs = [...text.matchAll(/^\| (\w+) +\| `node \S+` +\| (.*?) *\|$/gm)]
    expect(needs.map(([, name]) => name).toSorted()).toEqual(processNames.toSorted())
    const policies = (built[production] ?? []).filter(({ kind }) => kind === 'NetworkPolicy')
    for (const [, name, described = ''] of needs) {
      const egress = JSON.stringify(policies.find(({ metadata }) => metadata.name === name)?.spec.egress)
      const reached = {
        NATS: egress.includes('4222'),
        MongoDB: egress.includes('27017'),
        Redis: egress.includes('6379'),
        'to the outside': egress.includes('0.0.0.0/0') && !egress.includes('443'),
      }
      for (const [what, isReached] of Object.entries(reached))
        expect([name, what, isReached]).toEqual([name, what, described.includes(what)])
    }
    const policyOf = (name: string) => JSON.stringify(policies.find(({ metadata }) => metadata.name === name)?.spec)
    for (const name of processNames)
      expect([name, policyOf(name).includes('"port":587')]).toEqual([name, name === 'mail' || name === 'sso'])
    expect(policyOf('gateway')).toContain('envoy-gateway-system')
    expect(policyOf('guests')).not.toContain('envoy-gateway-system')
  })

  test('the Secrets of a new system are those which its processes and stores need', async () => {
    const secrets = missingSecrets([], { SMTP_URL: 'smtp://mail.example.org' })
    expect(await invalid(secrets)).toEqual([])
    const dataOf = (namespace: string, name: string) =>
      secrets.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)?.stringData
    for (const { metadata, spec } of (built[production] ?? []).filter(({ kind }) => kind === 'Deployment')) {
      const refs = spec.template.spec.containers[0].env.flatMap(
        ({ valueFrom }: { valueFrom?: { secretKeyRef: object } }) => valueFrom?.secretKeyRef ?? [],
      )
      const needed = refs.filter(({ optional }: { optional?: true }) => !optional)
      const data = dataOf('gatehouse', `gatehouse-${metadata.name}`)
      expect(Object.keys(data)).toEqual(expect.arrayContaining(needed.map(({ key }: { key: string }) => key)))
      expect(refs.map(({ key }: { key: string }) => key)).toEqual(expect.arrayContaining(Object.keys(data)))
      expect(new URL(data.NATS_URL).password).toBe(
        dataOf('gatehouse-stores', 'nats-passwords')[`NATS_PASSWORD_${metadata.name.toUpperCase()}`],
      )
      if (data.MONGODB_URL)
        expect(new URL(data.MONGODB_URL).password).toBe(dataOf('gatehouse-stores', `mongodb-${metadata.name}`).password)
    }
    expect(new URL(dataOf('gatehouse', 'gatehouse-checkin').REDIS_URL).password).toBe(
      dataOf('gatehouse-stores', 'redis').password,
    )
    const keys = new Set(secrets.flatMap(({ stringData }) => stringData.SECRETS_KEY ?? []))
    expect(keys.size).toBe(1)
    expect(dataOf('gatehouse', 'gatehouse-mail').SMTP_URL).toBe('smtp://mail.example.org')
    expect(missingSecrets([], {})).not.toEqual(missingSecrets([], {}))
  })

  test('development needs nothing that a bare cluster lacks', () => {
    const groups = new Set((built[development] ?? []).map(({ apiVersion }) => apiVersion))
    expect([...groups].toSorted()).toEqual(['apps/v1', 'networking.k8s.io/v1', 'policy/v1', 'v1'])
  })
})

test('processes are scaled by queues which there are', deep, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-mail-'))
  const system = await startSystem({ with: ['badges', 'hooks', 'partners', 'mail'], mail: { mail_folder: folder } })
  try {
    const manager = await managerOf(system.bus)
    for (const { queue } of processNames.map(sizeOf).filter(({ queue }) => queue)) {
      const { stream = '', consumer = '' } = queue ?? {}
      const found = () => manager.consumers.info(`${system.namespace}_${stream}`, consumer).then(({ name }) => name)
      await expect.poll(found).toBe(consumer)
    }
  } finally {
    await system.stop()
    await rm(folder, { recursive: true })
  }
})
