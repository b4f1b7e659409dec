import { type ProcessName, processNames, type SecretName, secretsOf, sizes } from './processes.ts'

/** A store which processes reach by the address in one of their settings. */
interface Store {
  setting: SecretName
  port: number
  /** The labels which its chart or operator gives its pods. */
  labels: Record<string, string>
}

/** The stores. */
export const stores = {
  nats: { setting: 'NATS_URL', port: 4222, labels: { 'app.kubernetes.io/name': 'nats' } },
  mongodb: { setting: 'MONGODB_URL', port: 27_017, labels: { app: 'mongodb-svc' } },
  redis: { setting: 'REDIS_URL', port: 6379, labels: { app: 'redis' } },
} satisfies Record<string, Store>

type StoreName = keyof typeof stores

/** The names of the stores. */
export const storeNames = Object.keys(stores) as StoreName[]

/** Who else takes part, by namespace: overlays of yours may have others. */
export const NAMESPACES = {
  processes: 'gatehouse',
  stores: 'gatehouse-stores',
  /** Where the proxies of the Gateway run. */
  proxies: 'envoy-gateway-system',
  monitoring: 'monitoring',
  keda: 'keda',
}

const SMTP_PORTS = [25, 465, 587]
const OTLP_PORT = 4318
/** The server's own and those of the exporter beside it. */
const NATS_MONITORING_PORTS = [8222, 7777]

/** Addresses which are not of the Internet: private, of the machine itself, link-local (the cloud's metadata), shared. */
const NOT_PUBLIC = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
const NOT_PUBLIC_6 = ['::1/128', 'fc00::/7', 'fe80::/10']

const tcp = (ports: readonly number[]) => ports.map((port) => ({ protocol: 'TCP', port }))
const namespace = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } })
const pods = (name: string) => ({ matchLabels: { 'app.kubernetes.io/name': name } })

const INTERNET = [
  { ipBlock: { cidr: '0.0.0.0/0', except: NOT_PUBLIC } },
  { ipBlock: { cidr: '::/0', except: NOT_PUBLIC_6 } },
]

const NAME_SERVERS = {
  to: [{ namespaceSelector: namespace('kube-system'), podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
}

/** Who may speak to a process: whoever scrapes it, and proxies and the `gatehouse` command to the gateway. */
export function ingressOf(name: ProcessName | 'cli'): object[] {
  if (name === 'cli') return []
  const proxies = [{ namespaceSelector: namespace(NAMESPACES.proxies) }, { podSelector: pods('cli') }]
  return [
    ...(name === 'gateway' ? [{ from: proxies, ports: [{ protocol: 'TCP', port: 'http' }] }] : []),
    {
      from: [{ namespaceSelector: namespace(NAMESPACES.monitoring) }],
      ports: [{ protocol: 'TCP', port: 'operations' }],
    },
  ]
}

/** Whom a process may speak to: the name servers, the stores whose credentials it has, the collector, mail servers, the Internet. */
export function egressOf(name: ProcessName | 'cli'): object[] {
  const secrets: readonly SecretName[] = name === 'cli' ? ['NATS_URL'] : secretsOf(name)
  const toStores = storeNames
    .filter((store) => secrets.includes(stores[store].setting))
    .map((store) => ({
      to: [{ namespaceSelector: namespace(NAMESPACES.stores), podSelector: { matchLabels: stores[store].labels } }],
      ports: tcp([stores[store].port]),
    }))
  const { internet } = name === 'cli' ? {} : sizes[name]
  return [
    NAME_SERVERS,
    ...toStores,
    ...(name === 'cli'
      ? [{ to: [{ podSelector: pods('gateway') }], ports: [{ protocol: 'TCP', port: 'http' }] }]
      : [{ to: [{ namespaceSelector: namespace(NAMESPACES.monitoring) }], ports: tcp([OTLP_PORT]) }]),
    // A mail server may be anywhere.
    ...(secrets.includes('SMTP_URL') ? [{ ports: tcp(SMTP_PORTS) }] : []),
    ...(internet ? [{ to: INTERNET, ...(internet !== 'every port' && { ports: tcp(internet) }) }] : []),
  ]
}

/** Who may speak to a store: its other pods, the processes which have its credentials, and to NATS whoever reads its queues and figures. */
export function storeIngressOf(store: StoreName): object[] {
  const { setting, port, labels } = stores[store]
  const clients = [
    ...processNames.filter((name) => secretsOf(name).includes(setting)),
    ...(store === 'nats' ? ['cli'] : []),
  ]
  const readers = [NAMESPACES.keda, NAMESPACES.monitoring].map((name) => ({ namespaceSelector: namespace(name) }))
  return [
    { from: [{ podSelector: { matchLabels: labels } }] },
    {
      from: [
        {
          namespaceSelector: namespace(NAMESPACES.processes),
          podSelector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: clients }] },
        },
      ],
      ports: tcp([port]),
    },
    ...(store === 'nats' ? [{ from: readers, ports: tcp(NATS_MONITORING_PORTS) }] : []),
  ]
}
