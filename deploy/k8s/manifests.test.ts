import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { findPlatform } from '@gatehouse/local/platform'
import type { ServiceDeclaration } from '@gatehouse/proto/declaring/service.ts'
import { readConfig } from '@gatehouse/proto/process/config.ts'
import type { TProperties } from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import { settings as gatewaySettings } from '../../gateway/gateway.ts'
import { operatorPermissions } from '../../services/bus-users.ts'
import { isBackground, mainOf, moduleOf, serviceNames, services } from '../../services/services.ts'
import { build, type Manifest, manifestsIn, schemaProblems } from './manifests.ts'
import { type Labels, Objects, type Selector, selects } from './objects.ts'
import { SOLVERS } from './references.ts'
import { credentials, missingSecrets, STORES_CA } from './secrets.ts'

/** A process, as its code declares it. */
interface Process {
  name: string
  credentials: readonly string[]
  settings: TProperties
  internet: ServiceDeclaration['internet'] | undefined
}

const processOf = (name: string, settings: TProperties, internet?: Process['internet']): Process => {
  return { name, credentials: credentials[name] ?? [], settings, internet }
}
const processes = [
  processOf('gateway', gatewaySettings),
  ...(await Promise.all(
    serviceNames.map(async (name) => processOf(name, (await moduleOf(name)).settings, services[name].internet)),
  )),
]
/** The command and backups have no operations port, and send no traces. */
const UNSEEN = ['cli', 'backup', 'restore']
/** All that speak to stores. */
const clients = [...processes, ...UNSEEN.map((name) => processOf(name, {}))]

const root = join(import.meta.dirname, '../..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
const yaml = async (path: string): Promise<Manifest[]> => manifestsIn(await read(path))

/** The overlay that `npm run check:k8s` is asked to check; ours if it is asked for none. */
const asked = process.env.OVERLAY
const folders = asked ? [asked] : ['deploy/k8s/overlays/development', 'deploy/k8s/overlays/production']

const HOSTNAME = 'kubernetes.io/hostname'
const labelsOf = (name: string): Labels => {
  return { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'gatehouse' }
}

const INTERNET = [
  '0.0.0.0/0 -10.0.0.0/8 -100.64.0.0/10 -127.0.0.0/8 -169.254.0.0/16 -172.16.0.0/12 -192.168.0.0/16',
  '::/0 -::1/128 -fc00::/7 -fe80::/10',
]
const STORES: Record<string, { store: string; at: string }> = {
  NATS_URL: { store: 'nats', at: 'gatehouse-stores/nats TCP 4222' },
  MONGODB_URL: { store: 'mongodb', at: 'gatehouse-stores/mongodb-svc TCP 27017' },
  REDIS_URL: { store: 'redis', at: 'gatehouse-stores/redis TCP 6379' },
}
/** The name servers of each kind of cluster: CoreDNS or kube-dns, NodeLocal DNSCache, and those of OpenShift. */
const NAME_SERVERS = ['UDP', 'TCP'].flatMap((protocol) => [
  `kube-system/kube-dns/node-local-dns ${protocol} 53`,
  `169.254.20.10/32 ${protocol} 53`,
  `openshift-dns ${protocol} 5353`,
])

/** Whom a process may reach, by what it declares. */
function destinationsOf({ name, credentials, internet }: Process): string[] {
  return [
    ...NAME_SERVERS,
    ...credentials.flatMap((key) => STORES[key]?.at ?? []),
    ...(UNSEEN.includes(name) ? [] : ['monitoring TCP 4318']),
    ...(credentials.includes('SMTP_URL') ? [25, 465, 587].map((port) => `anyone TCP ${port}`) : []),
    ...(internet
      ? INTERNET.map((peer) => `${peer} ${internet === 'every port' ? 'any port' : `TCP ${internet}`}`)
      : []),
  ]
}

/** What belongs to the cluster. */
const cluster = new Objects(await yaml('deploy/k8s/cluster.yaml'))
const stores = new Objects(
  (
    await Promise.all(
      ['mongodb', 'redis', 'policies', 'certificates'].map((name) => yaml(`deploy/k8s/stores/${name}.yaml`)),
    )
  ).flat(),
)
const [nats] = await yaml('deploy/k8s/stores/nats-values.yaml')
const mongodb = stores.named('MongoDBCommunity', 'mongodb')?.spec
const operations = await read('docs/operations.md')
const rowOf = (name: string): string | undefined =>
  operations.split('\n').find((line) => line.startsWith(`| ${name} |`) && line.includes(`\`node ${mainOf(name)}\``))

/** Whether the policy of a store admits a process. */
function isAdmitted(store: string, name: string): boolean {
  const rules: Manifest[] = stores.named('NetworkPolicy', store)?.spec.ingress ?? []
  return rules.some(({ from }) =>
    from.some(
      ({ namespaceSelector, podSelector }: Record<string, Selector>) =>
        selects(namespaceSelector, { 'kubernetes.io/metadata.name': 'gatehouse' }) &&
        namespaceSelector &&
        selects(podSelector, labelsOf(name)),
    ),
  )
}

/** Says where a process is missing, and what to add there. */
function missingParts(objects: Objects, { name, credentials, ...declared }: Process): string[] {
  const reached = objects.allowed('egress', labelsOf(name))
  const hasScalers = objects.of('HorizontalPodAutoscaler').length > 0
  const ofStores = credentials.flatMap((key) => (STORES[key] ? [STORES[key]] : []))
  const parts: [isThere: unknown, sentence: string][] = [
    [
      objects.named('Deployment', name),
      `base/processes: copy promo.yaml to ${name}.yaml, change its name, credentials and resources, and list it in kustomization.yaml`,
    ],
    [
      objects.scalersOf(name).length === 1 || !hasScalers,
      `components/autoscaling/scalers.yaml: add a HorizontalPodAutoscaler for ${name}`,
    ],
    ...ofStores.flatMap(({ store, at }): [unknown, string][] => [
      [reached.includes(at), `base/network.yaml: add ${name} to the policy ${store}`],
      [isAdmitted(store, name), `stores/policies.yaml: add ${name} to the policy ${store}`],
    ]),
    [
      !credentials.includes('MONGODB_URL') || mongodb?.users.some((user: Manifest) => user.name === name),
      `stores/mongodb.yaml: add a user ${name} of the database gatehouse_${name}`,
    ],
    [
      destinationsOf({ name, credentials, ...declared }).every((each) => reached.includes(each)),
      `base/network.yaml: add ${name} to the policies of what it reaches`,
    ],
    [rowOf(name), `../../docs/operations.md: add a row for ${name} to the table of processes`],
  ]
  return parts.flatMap(([isThere, sentence]) => (isThere ? [] : [`deploy/k8s/${sentence}`]))
}

// kubectl comes from Debian if the machine has none.
describe.runIf(findPlatform() || asked).each(folders)('%s', (folder) => {
  let objects: Objects
  beforeAll(async () => {
    objects = new Objects(await build(join(root, folder)))
  })

  /** The Deployment of each process, with its pod and container. */
  const deployed = () =>
    processes.map((process) => {
      const { metadata, spec: pod } = objects.named('Deployment', process.name)?.spec.template ?? { spec: {} }
      return { ...process, labels: metadata?.labels as Labels, pod, container: pod.containers?.[0] as Manifest }
    })

  test('every object is valid, without unknown fields', async () => {
    expect((await Promise.all(objects.all.map(schemaProblems))).flat()).toEqual([])
  })

  test('every process is there', () => {
    expect(processes.flatMap((process) => missingParts(objects, process))).toEqual([])
  })

  test('a new service is told what to add where', () => {
    const survey: Process = { name: 'survey', credentials: ['NATS_URL', 'MONGODB_URL'], settings: {}, internet: 443 }
    expect(missingParts(objects, survey)).toEqual(
      expect.arrayContaining([
        'deploy/k8s/base/processes: copy promo.yaml to survey.yaml, change its name, credentials and resources, and list it in kustomization.yaml',
        'deploy/k8s/base/network.yaml: add survey to the policy mongodb',
        'deploy/k8s/stores/policies.yaml: add survey to the policy mongodb',
        'deploy/k8s/stores/mongodb.yaml: add a user survey of the database gatehouse_survey',
        'deploy/k8s/../../docs/operations.md: add a row for survey to the table of processes',
      ]),
    )
  })

  test('containers have no rights, ask for what they need, and have a limit of memory', () => {
    for (const { where, pod, container } of objects.containers) {
      const context = { ...pod.securityContext, ...container.securityContext }
      expect.soft(context, where).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
      })
      expect.soft(context.runAsUser, where).toBeGreaterThan(0)
      expect.soft(context.capabilities, where).toEqual({ drop: ['ALL'] })
      expect.soft([context.privileged, pod.hostNetwork, pod.hostPID, pod.hostIPC].filter(Boolean), where).toEqual([])
      expect.soft(pod.automountServiceAccountToken, where).toBe(false)
      const size = expect.stringMatching(/^\d/)
      const resources = { requests: { cpu: size, memory: size }, limits: { memory: size } }
      expect.soft(container.resources, where).toMatchObject(resources)
    }
  })

  test('every process is asked whether it lives and is ready, at its operations port', () => {
    for (const { name, container } of deployed()) {
      const probe = (path: string) => ({ httpGet: { path, port: 'operations' } })
      const { OPERATIONS_PORT, PORT } = objects.environmentOf(container)
      const port = (name: string, number = '') => ({ name, containerPort: Number(number) })
      expect.soft(container, name).toMatchObject({
        args: [mainOf(name)],
        startupProbe: probe('/livez'),
        livenessProbe: probe('/livez'),
        readinessProbe: probe('/readyz'),
        ports: [...(name === 'gateway' ? [port('http', PORT)] : []), port('operations', OPERATIONS_PORT)],
      })
    }
  })

  test('a node can be emptied: processes of a kind leave one at a time, and are spread over zones and nodes', () => {
    for (const { name, labels, pod } of deployed()) {
      const budgets = objects.of('PodDisruptionBudget').filter(({ spec }) => selects(spec.selector, labels))
      expect
        .soft(
          budgets.map(({ spec }) => spec.maxUnavailable),
          name,
        )
        .toEqual([1])
      const spread = pod.topologySpreadConstraints?.filter(
        ({ labelSelector, matchLabelKeys = [] }: { labelSelector: Selector; matchLabelKeys?: string[] }) =>
          selects(labelSelector, labels) && matchLabelKeys.includes('app.kubernetes.io/name'),
      )
      const keys = spread?.map(({ topologyKey }: Manifest) => topologyKey)
      expect.soft(keys, name).toEqual(expect.arrayContaining(['topology.kubernetes.io/zone', HOSTNAME]))
    }
  })

  test('a node that died is left after half a minute', () => {
    for (const { name, pod } of deployed())
      for (const taint of ['not-ready', 'unreachable'])
        expect.soft(pod.tolerations, name).toContainEqual({
          key: `node.kubernetes.io/${taint}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 30,
        })
  })

  test('the door comes before what can wait', () => {
    const waiting = serviceNames.filter(isBackground) as string[]
    for (const { name, pod } of deployed())
      expect.soft(pod.priorityClassName, name).toBe(waiting.includes(name) ? 'gatehouse-background' : 'gatehouse-door')
  })

  test('to delete what was applied deletes no namespace, no secret and no backup', () => {
    expect(objects.of('Namespace', 'PriorityClass', 'Secret', 'PersistentVolumeClaim')).toEqual([])
  })

  test('a process has the credentials that it declares, of a Secret of its own, and no others', () => {
    for (const { name, credentials, settings, container } of deployed()) {
      const wanted = credentials.map((key) => {
        // secrets.ts leaves out what it is not given, and Kubernetes starts nothing whose Secret lacks a key that is not optional.
        const optional = 'default' in (settings[key.toLowerCase()] ?? {})
        return {
          name: key,
          valueFrom: { secretKeyRef: { name: `gatehouse-${name}`, key, ...(optional && { optional }) } },
        }
      })
      const given = container.env.filter(({ valueFrom }: Manifest) => valueFrom)
      expect.soft(given, name).toEqual(wanted)
      expect
        .soft(
          container.envFrom.filter(({ secretRef }: Manifest) => secretRef),
          name,
        )
        .toEqual([])
    }
  })

  test.skipIf(asked)('who speaks to stores trusts their authority, and has no key of it', () => {
    const speaking = objects.containers.filter(({ container }) =>
      container.env?.some(({ name }: Manifest) => STORES[`${name}`]),
    )
    for (const { where, pod, container } of speaking) {
      const named = ({ name }: Manifest): boolean => `${name}` === 'stores-ca'
      expect.soft(container.volumeMounts?.find(named).mountPath, where).toBe(dirname(STORES_CA))
      const file = basename(STORES_CA)
      expect.soft(pod.volumes?.find(named).secret, where).toEqual({
        secretName: 'stores-ca',
        items: [{ key: file, path: file }],
      })
      // mongodump and mongorestore have it of MONGODB_URL.
      const trusted = container.image.includes('mongo') ? undefined : STORES_CA
      expect.soft(objects.environmentOf(container).NODE_EXTRA_CA_CERTS, where).toBe(trusted)
    }
    expect(speaking.length).toBeGreaterThanOrEqual(processes.length + 1)
  })

  test('every setting is known to a process, and each process starts with its own', () => {
    const known = new Set(processes.flatMap(({ settings }) => Object.keys(settings)))
    // Node and OpenTelemetry read these themselves, in every process.
    const ofAll = /^(OPERATIONS_(HOST|PORT)|OTEL_\w+|NODE_EXTRA_CA_CERTS)$/
    for (const { name, container, credentials, settings } of deployed()) {
      const given = objects.environmentOf(container)
      const unknown = Object.keys(given).filter((key) => !known.has(key.toLowerCase()) && !ofAll.test(key))
      expect.soft(unknown, name).toEqual([])
      const needed = credentials.filter((key) => !('default' in (settings[key.toLowerCase()] ?? {})))
      // A value that every credential may have.
      const secrets = needed.map((key) => [key, Buffer.alloc(32).toString('base64')])
      expect.soft(() => readConfig(settings, { ...given, ...Object.fromEntries(secrets) }), name).not.toThrow()
    }
  })

  test('no secret is part of a manifest', () => {
    const names = new Set(Object.values(credentials).flat())
    const variables = [
      ...objects.of('ConfigMap').flatMap(({ data }) => Object.entries<string>(data ?? {})),
      ...objects.containers.flatMap(({ container }) =>
        (container.env ?? []).map(({ name, value }: Manifest): [string, string?] => [`${name}`, value]),
      ),
    ]
    const login = /:\/\/[^/\s]*@/
    expect(variables.filter(([name, value]) => value && (names.has(name) || login.test(value)))).toEqual([])
    expect(objects.of('Secret')).toEqual([])
  })

  test('what no policy allows is forbidden, and each pod has policies of its own', () => {
    const denied = { podSelector: {}, policyTypes: ['Ingress', 'Egress'] }
    expect(objects.of('NetworkPolicy').map(({ spec }) => spec)).toContainEqual(denied)
    const policies = objects.of('NetworkPolicy').filter(({ spec }) => Object.keys(spec.podSelector).length > 0)
    const isCovered = ({ metadata }: Manifest) =>
      policies.some(({ spec }) => selects(spec.podSelector, metadata.labels))
    expect(objects.pods.filter((pod) => !isCovered(pod)).map(({ metadata }) => metadata.name)).toEqual([])
  })

  test('processes reach what they declare, and nothing else', () => {
    for (const client of clients) {
      const reached = objects.allowed('egress', labelsOf(client.name)).toSorted()
      const wanted = destinationsOf(client).toSorted()
      // An overlay of yours may open more, to stores outside the cluster for instance.
      expect.soft(reached, client.name).toEqual(asked ? expect.arrayContaining(wanted) : wanted)
      const reaching = [
        ...(client.name === 'gateway' ? [expect.stringMatching(/^(?!anyone).* TCP http$/)] : []),
        ...(UNSEEN.includes(client.name) ? [] : [expect.stringMatching(/^(?!anyone).* TCP operations$/)]),
      ]
      expect.soft(objects.allowed('ingress', labelsOf(client.name)).toSorted(), client.name).toEqual(reaching)
    }
  })

  test('a certificate can be issued: proxies reach whoever answers for it', () => {
    const isCertified = ({ metadata }: Manifest) =>
      Object.keys(metadata.annotations ?? {}).some((key) => key.startsWith('cert-manager.io/'))
    const solving = objects.of('NetworkPolicy').filter(({ spec }) => Object.keys(spec.podSelector).length > 0)
    const open = new Objects(solving).allowed('ingress', SOLVERS.labels)
    for (const { metadata } of objects.of('Gateway').filter(isCertified))
      expect(open, metadata.name).toContainEqual(expect.stringMatching(new RegExp(`^(?!anyone).* ${SOLVERS.port}$`)))
  })

  test('a process is scaled by a queue of its own system', () => {
    for (const { name, container } of deployed()) {
      const { NAMESPACE = 'gatehouse' } = objects.environmentOf(container)
      const triggers = objects.scalersOf(name).flatMap(({ spec }) => spec.triggers ?? [])
      for (const { metadata } of triggers) expect(metadata.stream).toMatch(new RegExp(`^${NAMESPACE}_`))
    }
  })
})

describe.runIf(findPlatform() && !asked)('built by kustomize', () => {
  test('production runs each process twice at least, and scales it', async () => {
    const production = new Objects(await build(join(root, 'deploy/k8s/overlays/production')))
    for (const { name } of processes) {
      const least = production.scalersOf(name).map(({ spec }) => spec.minReplicas ?? spec.minReplicaCount)
      expect(least, name).toEqual([2])
      expect(production.named('Deployment', name)?.spec.replicas, name).toBeUndefined()
    }
    for (const name of ['cli', 'restore']) expect(production.named('Deployment', name)?.spec.replicas, name).toBe(0)
  })

  test('backups are made by the tools of the version of MongoDB that runs', async () => {
    const production = new Objects(await build(join(root, 'deploy/k8s/overlays/production')))
    const images = production.containers
      .flatMap(({ container }) => container.image)
      .filter((each) => each.includes('mongo'))
    expect(new Set(images)).toEqual(new Set([`docker.io/library/mongo:${mongodb?.version}`]))
  })

  test('docs/kubernetes.md says how much room an upgrade needs: that of the largest process', async () => {
    const production = new Objects(await build(join(root, 'deploy/k8s/overlays/production')))
    const requests = production.containers.map(({ container }) => container.resources.requests)
    const most = (key: 'cpu' | 'memory'): number => Math.max(...requests.map((each) => Number.parseInt(each[key], 10)))
    expect(await read('docs/kubernetes.md')).toContain(
      `one node needs ${most('cpu')}m of processor and ${most('memory')}Mi of memory free`,
    )
    for (const { name } of processes)
      expect(production.named('Deployment', name)?.spec.strategy.rollingUpdate).toEqual({
        maxSurge: 1,
        maxUnavailable: 0,
      })
  })

  test('development needs nothing that a bare cluster lacks', async () => {
    const versions = (await build(join(root, 'deploy/k8s/overlays/development'))).map(({ apiVersion }) => apiVersion)
    expect([...new Set(versions)].toSorted()).toEqual(['apps/v1', 'networking.k8s.io/v1', 'policy/v1', 'v1'])
  })

  test('the objects of the stores are valid', async () => {
    const built = [
      ...(await build(join(root, 'deploy/k8s/stores'))),
      ...stores.of('PodDisruptionBudget'),
      ...cluster.all,
    ]
    expect(built.length).toBeGreaterThan(7)
    expect((await Promise.all(built.map(schemaProblems))).flat()).toEqual([])
  })
})

const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } }
const scaled = { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: { name: 'a' } }
const trigger = (lagThreshold: unknown) => ({ triggers: [{ type: 'nats-jetstream', metadata: { lagThreshold } }] })

test.each<[what: string, manifest: Manifest, problems: string[]]>([
  ['a valid object', service, []],
  ['an unknown field', { ...service, spec: { port: 80 } }, ['/spec/port: is not a field']],
  [
    'an unknown field far within',
    { ...service, spec: { ports: [{ port: 80, nam: '' }] } },
    ['/spec/ports/0/nam: is not a field'],
  ],
  ['a wrong type', { ...service, spec: { ports: [{ port: 'a' }] } }, ['/spec/ports/0/port: must be integer']],
  ['a missing field', { ...service, spec: { ports: [{}] } }, ['/spec/ports/0: must have required property port']],
  ['an unknown kind', { ...service, kind: 'Servise' }, ['v1 Servise: no such kind is known']],
  ['an unknown version', { ...service, apiVersion: 'v3' }, ['v3 Service: no such kind is known']],
  [
    "an unknown field of cert-manager's",
    { ...service, apiVersion: 'cert-manager.io/v1', kind: 'Issuer', spec: { ca: { secretName: 'a', name: 'a' } } },
    ['/spec/ca/name: is not a field'],
  ],
  [
    "an unknown field of KEDA's",
    { ...scaled, spec: { scaleTargetRef: { name: 'a' }, ...trigger('8'), minReplicas: 1 } },
    ['/spec/minReplicas: is not a field'],
  ],
  [
    "a wrong type of KEDA's",
    { ...scaled, spec: { scaleTargetRef: { name: 'a' }, ...trigger(8) } },
    ['/spec/triggers/0/metadata/lagThreshold: must be string'],
  ],
])('schemas: %s', async (_what, manifest, problems) => {
  const { kind, metadata } = manifest
  expect(await schemaProblems(manifest)).toEqual(problems.map((problem) => `${kind} ${metadata.name}: ${problem}`))
})

test('each store admits the processes that have its credentials, and no others', () => {
  for (const [key, { store }] of Object.entries(STORES)) {
    const wanted = clients.filter(({ credentials }) => credentials.includes(key)).map(({ name }) => name)
    const names = [...clients, { name: 'other' }].map(({ name }) => name)
    const admitted = names.filter((name) => isAdmitted(store, name) && name !== 'other')
    expect(admitted, store).toEqual(wanted)
    if (store === 'mongodb') expect(mongodb?.users.map(({ name }: Manifest) => name)).toEqual([...wanted, 'monitor'])
  }
})

test('each user of MongoDB may use the database of its process, and no other', () => {
  for (const { name, roles } of mongodb?.users.filter(
    ({ name }: { name: string }) => ![...UNSEEN, 'monitor'].includes(name),
  ) ?? [])
    expect(roles).toEqual(['readWrite', 'dbAdmin'].map((role) => ({ name: role, db: `gatehouse_${name}` })))
})

test('a node may go: no two members of a store ever share one, and one leaves at a time', () => {
  const labels = { app: 'mongodb-svc' }
  const spread: Manifest[] = mongodb?.statefulSet.spec.template.spec.topologySpreadConstraints
  const apart = spread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
  expect(apart.map(({ topologyKey, labelSelector }) => [topologyKey, labelSelector.matchLabels])).toEqual([
    [HOSTNAME, labels],
  ])
  // Without IfHealthyBudget one that catches up does not count, and another may go meanwhile.
  expect(stores.named('PodDisruptionBudget', 'mongodb')?.spec).toEqual({
    maxUnavailable: 1,
    unhealthyPodEvictionPolicy: 'IfHealthyBudget',
    selector: { matchLabels: labels },
  })
  for (const each of [...apart, nats?.podTemplate.topologySpreadConstraints[HOSTNAME]])
    expect(each).toMatchObject({ maxSkew: 1, minDomains: 3, whenUnsatisfiable: 'DoNotSchedule' })
  expect(nats?.podDisruptionBudget?.enabled).not.toBe(false)
  expect(nats?.fullnameOverride).toBe('nats')
})

test('the stores are as important as the door, and its class comes before the others', () => {
  const classes = [
    mongodb?.statefulSet.spec.template.spec.priorityClassName,
    nats?.podTemplate.merge.spec.priorityClassName,
    stores.named('Redis', 'redis')?.spec.priorityClassName,
  ]
  expect(new Set(classes)).toEqual(new Set(['gatehouse-door']))
  const priorityOf = (name: string): number => cluster.named('PriorityClass', name)?.value
  expect(priorityOf('gatehouse-door')).toBeGreaterThan(0)
  expect(priorityOf('gatehouse-background')).toBeLessThan(0)
})

test('Prometheus reaches the exporter of each store', async () => {
  const monitors = await yaml('deploy/observability/store-monitors.yaml')
  const exporters: Record<string, unknown> = {
    // Of the chart.
    nats: nats?.promExporter.enabled && 7777,
    mongodb: mongodb?.statefulSet.spec.template.spec.containers.find(({ name }: Manifest) => `${name}` === 'exporter')
      .ports[0].containerPort,
    // Of the operator.
    redis: stores.named('Redis', 'redis')?.spec.redisExporter.enabled && 9121,
  }
  expect(monitors.map(({ metadata }) => metadata.name)).toEqual(Object.keys(exporters))
  for (const { metadata, spec } of monitors)
    expect(stores.allowed('ingress', spec.selector.matchLabels)).toContain(`monitoring TCP ${exporters[metadata.name]}`)
})

// The chart `nats` 1.2.8 starts the server and the sidecar that reloads its configuration with every file that it includes. The sidecar gets those
// mounts of the server below /etc that `container` adds, not those that `podTemplate` adds: without the file it ends at once.
test('NATS starts: the server and its reloader mount the users', () => {
  const folder = dirname(new URL(nats?.config.merge.$include, 'file:///etc/nats-config/').pathname)
  const volume = { name: 'users', configMap: { name: 'nats-users' } }
  expect(nats?.container.patch).toEqual([
    { op: 'add', path: '/volumeMounts/-', value: { name: volume.name, mountPath: folder, readOnly: true } },
  ])
  expect(nats?.podTemplate.patch).toEqual([{ op: 'add', path: '/spec/volumes/-', value: volume }])
  expect(folder).toMatch(/^\/etc\//)
  expect(nats?.reloader).toBeUndefined()
})

test('no store takes a connection without TLS, of clients or of its own servers', () => {
  const certificates = stores.of('Certificate').filter(({ spec }) => spec.issuerRef.name === 'stores')
  const made = certificates.map(({ spec }) => spec.secretName)
  const { nats: clients, cluster } = nats?.config ?? {}
  const { secretName, ...trust } = cluster.tls
  expect(trust).toEqual({ enabled: true, merge: { ca_file: '/etc/nats-certs/cluster/ca.crt' } })
  const { tls } = mongodb?.security ?? {}
  const redis = stores.named('Redis', 'redis')?.spec.TLS.secret.secretName
  expect(made).toEqual([secretName, tls.certificateKeySecretRef.name, redis])
  expect(clients.tls).toEqual({ enabled: true, secretName })
  expect(tls).toMatchObject({ enabled: true, caCertificateSecretRef: { name: 'stores-ca' } })
  expect(tls.optional).toBeUndefined()
  const authority = stores.named('Certificate', 'stores-ca')?.spec
  expect([authority.isCA, stores.named('Issuer', 'stores')?.spec.ca.secretName]).toEqual([true, authority.secretName])
  // Servers of NATS and members of MongoDB are clients of each other, too.
  for (const { spec } of certificates)
    expect(spec.usages).toEqual(expect.arrayContaining(['server auth', 'client auth']))
})

// NATS and MongoDB read theirs by themselves: the sidecar of NATS's chart watches each file that `tls` names, and its operator tells MongoDB.
test('certificates are renewed a month before their end, that of Redis half a year, and who trusts the authority goes on when it is renewed', () => {
  const hours = (text: string): number => Number(/^(\d+)h$/.exec(text)?.[1])
  const leastDays: Record<string, number> = { 'stores-ca': 365, 'redis-tls': 182 }
  for (const { metadata, spec } of stores.of('Certificate')) {
    const days = hours(spec.renewBefore) / 24
    expect(days, metadata.name).toBeGreaterThanOrEqual(leastDays[metadata.name] ?? 30)
    expect(hours(spec.duration) / 24, metadata.name).toBeGreaterThan(days)
  }
  expect(stores.named('Certificate', 'stores-ca')?.spec.privateKey.rotationPolicy).toBe('Never')
})

test('the certificate of a store has the names by which clients, exporters and its own servers reach it', () => {
  const urls = missingSecrets([], {}).flatMap(({ stringData }) =>
    Object.entries<string>(stringData).flatMap(([key, text]) => (STORES[key] ? [new URL(text).hostname] : [])),
  )
  const { containers } = mongodb?.statefulSet.spec.template.spec ?? {}
  const [exporter] = containers.find(({ name }: Manifest) => `${name}` === 'exporter').args
  expect(nats?.config.cluster.routeURLs).toEqual({ useFQDN: true })
  const wanted: Record<string, string[]> = {
    nats: [
      ...urls.filter((host) => host.startsWith('nats.')),
      new URL(nats?.natsBox.contexts.default.merge.url).hostname,
      'nats-2.nats-headless.gatehouse-stores.svc.cluster.local',
    ],
    mongodb: [
      ...urls.filter((host) => host.startsWith('mongodb-svc.')),
      new URL(exporter.replace('--mongodb.uri=', '')).hostname,
      'mongodb-2.mongodb-svc.gatehouse-stores.svc.cluster.local',
    ],
    redis: urls.filter((host) => host.startsWith('redis.')),
  }
  expect(Object.values(wanted).flatMap((hosts) => hosts.filter((host) => urls.includes(host)))).toHaveLength(
    urls.length,
  )
  for (const [store, hosts] of Object.entries(wanted)) {
    const { dnsNames, ipAddresses = [] } = stores.named('Certificate', `${store}-tls`)?.spec ?? {}
    const isNamed = (host: string): boolean =>
      [...dnsNames, ...ipAddresses].some((name) => name === host || name === host.replace(/^[^.]+/, '*'))
    expect(
      hosts.filter((host) => !isNamed(host)),
      store,
    ).toEqual([])
  }
})

test('operators have a shell whose NATS user is theirs', () => {
  const { container, contexts } = nats?.natsBox ?? {}
  const key = 'NATS_PASSWORD_OPERATOR'
  expect(container.env).toEqual({
    NATS_USER: 'operator',
    NATS_PASSWORD: { valueFrom: { secretKeyRef: { name: 'nats-passwords', key } } },
  })
  const passwords = missingSecrets([], {}).find(({ metadata }) => metadata.name === 'nats-passwords')
  expect(passwords?.stringData).toHaveProperty(key)
  const { subscribe } = operatorPermissions('gatehouse')
  expect(subscribe).toEqual([`${contexts.default.merge.inbox_prefix}.>`])
})

test('docs/operations.md says what each process needs', () => {
  for (const { name, credentials, internet } of processes) {
    const row = rowOf(name)
    const needs = { MongoDB: 'MONGODB_URL', Redis: 'REDIS_URL' }
    for (const [store, key] of Object.entries(needs))
      expect(row?.includes(store), `${name}: ${store}`).toBe(credentials.includes(key))
    expect(row?.includes('to the outside'), name).toBe(internet === 'every port')
  }
})

test('the documented version of KEDA knows what its objects use', async () => {
  const [, major, minor] = /KEDA (\d+)\.(\d+) or newer/.exec(await read('docs/kubernetes.md')) ?? []
  // `fallback.behavior` came with 2.17.
  expect(Number(major) * 1_000 + Number(minor)).toBeGreaterThanOrEqual(2_017)
})
