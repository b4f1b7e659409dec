import type { StoreName } from '../local/stack.ts'
import { type ClientName, clientNames, type SecretName, secretsOf, sizeOf } from './processes.ts'

/** A store that processes reach by the address in one of their settings. */
interface StoreAddress {
  setting: SecretName
  port: number
  /** The labels that its chart or operator gives its pods. */
  labels: Record<string, string>
}

/** The stores. */
export const stores = {
  nats: { setting: 'NATS_URL', port: 4222, labels: { 'app.kubernetes.io/name': 'nats' } },
  mongodb: { setting: 'MONGODB_URL', port: 27_017, labels: { app: 'mongodb-svc' } },
  redis: { setting: 'REDIS_URL', port: 6379, labels: { app: 'redis' } },
} satisfies Record<StoreName, StoreAddress>

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

/** Addresses that are not of the Internet: private, of the machine itself, link-local (the cloud's metadata), shared. */
const NOT_PUBLIC = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
const NOT_PUBLIC_6 = ['::1/128', 'fc00::/7', 'fe80::/10']

const tcp = (ports: readonly number[]) => ports.map((port) => ({ protocol: 'TCP', port }))
const namespace = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } })

const INTERNET = [
  { ipBlock: { cidr: '0.0.0.0/0', except: NOT_PUBLIC } },
  { ipBlock: { cidr: '::/0', except: NOT_PUBLIC_6 } },
]

const udpAndTcp = (port: number) => ['UDP', 'TCP'].map((protocol) => ({ protocol, port }))

/** The name servers of a cluster: CoreDNS or kube-dns, the cache on each node (GKE has one by default), and those of OpenShift. */
export const NAME_SERVERS = [
  {
    to: [
      {
        namespaceSelector: namespace('kube-system'),
        podSelector: { matchExpressions: [{ key: 'k8s-app', operator: 'In', values: ['kube-dns', 'node-local-dns'] }] },
      },
      { ipBlock: { cidr: '169.254.20.10/32' } },
    ],
    ports: udpAndTcp(53),
  },
  { to: [{ namespaceSelector: namespace('openshift-dns') }], ports: udpAndTcp(5353) },
]

/** Who may speak to a process: proxies to the gateway, and whoever scrapes it. */
export function ingressOf(name: ClientName): object[] {
  if (name === 'cli') return []
  const from = (who: string, port: string) => ({
    from: [{ namespaceSelector: namespace(who) }],
    ports: [{ protocol: 'TCP', port }],
  })
  return [...(name === 'gateway' ? [from(NAMESPACES.proxies, 'http')] : []), from(NAMESPACES.monitoring, 'operations')]
}

/** Whom a process may speak to: the name servers, the stores whose credentials it has, the collector, mail servers, the Internet. */
export function egressOf(name: ClientName): object[] {
  const secrets = secretsOf(name)
  const toStores = storeNames
    .filter((store) => secrets.includes(stores[store].setting))
    .map((store) => ({
      to: [{ namespaceSelector: namespace(NAMESPACES.stores), podSelector: { matchLabels: stores[store].labels } }],
      ports: tcp([stores[store].port]),
    }))
  const collector = { to: [{ namespaceSelector: namespace(NAMESPACES.monitoring) }], ports: tcp([OTLP_PORT]) }
  const { internet } = name === 'cli' ? {} : sizeOf(name)
  return [
    ...NAME_SERVERS,
    ...toStores,
    ...(name === 'cli' ? [] : [collector]),
    // A mail server may be anywhere.
    ...(secrets.includes('SMTP_URL') ? [{ ports: tcp(SMTP_PORTS) }] : []),
    ...(internet ? [{ to: INTERNET, ...(internet !== 'every port' && { ports: tcp(internet) }) }] : []),
  ]
}

/** Who may speak to a store: its other pods, the processes that have its credentials, and to NATS whoever reads its queues and figures. */
export function storeIngressOf(store: StoreName): object[] {
  const { setting, port, labels } = stores[store]
  const clients = clientNames.filter((name) => secretsOf(name).includes(setting))
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
