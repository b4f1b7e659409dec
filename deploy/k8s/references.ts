import type { Manifest } from './manifests.ts'
import { type Objects, type Selector, selects } from './objects.ts'

/** Pods that cert-manager starts to answer Let's Encrypt (HTTP-01), and the port on which it asks. */
export const SOLVERS = { labels: { 'acme.cert-manager.io/http01-solver': 'true' }, port: 8089 }

/** A port of a container. */
interface Port {
  name: string
  containerPort: number
}

/** Returns what objects refer to that is not there, and ports that nobody may reach: a sentence each. */
export function brokenReferences(objects: Objects): string[] {
  return [selectors, ports, names, routes, dirty].flatMap((check) => check(objects))
}

const textOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`
const listIf = (isWrong: unknown, sentence: string): string[] => (isWrong ? [sentence] : [])

/** Returns which pods an object means; undefined if its kind means none. */
function selectorOf({ kind, spec }: Manifest): Selector | undefined {
  if (kind === 'Service') return { matchLabels: spec.selector }
  if (kind === 'NetworkPolicy') return spec.podSelector
  // Pods of another namespace.
  if (spec?.namespaceSelector) return undefined
  return ['PodDisruptionBudget', 'PodMonitor', 'Deployment'].includes(kind) ? spec.selector : undefined
}

function selectors(objects: Objects): string[] {
  const pods = [...objects.pods, { metadata: { name: 'solver', labels: SOLVERS.labels } }]
  return objects.all.flatMap((each) => {
    const selector = selectorOf(each)
    if (!selector) return []
    const found = pods.filter(({ metadata }) => selects(selector, metadata.labels))
    const others =
      each.kind === 'Deployment' ? found.filter(({ metadata }) => metadata.name !== each.metadata.name) : []
    return [
      ...listIf(found.length === 0, `${textOf(each)} selects no pod`),
      ...others.map(({ metadata }) => `${textOf(each)} selects the pods of ${metadata.name}`),
    ]
  })
}

/** The ports of a pod. */
const portsOf = (pod: Manifest): Port[] => pod.spec.containers.flatMap(({ ports = [] }: Manifest) => ports)
const isPort = (wanted: unknown) => (port: Port) => port.name === wanted || port.containerPort === wanted

function ports(objects: Objects): string[] {
  const selected = (each: Manifest): Manifest[] =>
    objects.pods.filter(({ metadata }) => selectorOf(each) && selects(selectorOf(each), metadata.labels))
  const wantedBy = ({ kind, spec }: Manifest): unknown[] => {
    if (kind === 'Service') return spec.ports.map((port: Manifest) => port.targetPort ?? port.port)
    if (kind === 'PodMonitor') return spec.podMetricsEndpoints.map(({ port }: Manifest) => port)
    if (kind !== 'NetworkPolicy') return []
    return (spec.ingress ?? []).flatMap((rule: Manifest) => (rule.ports ?? []).map(({ port }: Manifest) => port))
  }
  const missing = objects.of('Service', 'PodMonitor', 'NetworkPolicy').flatMap((each) =>
    wantedBy(each).flatMap((wanted) =>
      selected(each)
        // The command has no ports, and PodMonitors pass over such pods.
        .filter((pod) => portsOf(pod).length > 0 && !portsOf(pod).some(isPort(wanted)))
        .map((pod) => `${textOf(each)}: ${pod.metadata.name} has no port ${wanted}`),
    ),
  )
  const asked = objects.containers.flatMap(({ where, container }) =>
    ['startupProbe', 'livenessProbe', 'readinessProbe'].flatMap((probe) => {
      const wanted = container[probe]?.httpGet?.port
      return listIf(wanted && !container.ports?.some(isPort(wanted)), `${where}: ${probe}: there is no port ${wanted}`)
    }),
  )
  const closed = objects.pods.flatMap((pod) => {
    const open = objects.allowed('ingress', pod.metadata.labels ?? {}).map((each) => each.split(' ').at(-1))
    return portsOf(pod).flatMap(({ name, containerPort }) =>
      listIf(
        !open.includes(name) && !open.includes(`${containerPort}`),
        `no NetworkPolicy lets anyone reach the port ${name} of ${pod.metadata.name}`,
      ),
    )
  })
  return [...missing, ...asked, ...closed]
}

/** Names of other objects. */
function names(objects: Objects): string[] {
  const missing = (from: string, kind: string, wanted: string[]): string[] =>
    wanted.flatMap((name) => listIf(!objects.named(kind, name), `${from}: there is no ${kind} ${name}`))
  const scalers = objects.of('HorizontalPodAutoscaler', 'ScaledObject')
  return [
    ...scalers.flatMap((each) => missing(textOf(each), 'Deployment', [each.spec.scaleTargetRef.name])),
    ...objects.containers.flatMap(({ where, pod, container }) => {
      const volumes: string[] = (pod.volumes ?? []).map(({ name }: Manifest) => name)
      const mounts: string[] = (container.volumeMounts ?? []).map(({ name }: Manifest) => name)
      const maps = (container.envFrom ?? []).flatMap(({ configMapRef }: Manifest) => configMapRef?.name ?? [])
      return [
        ...missing(where, 'ConfigMap', maps),
        ...mounts.flatMap((name) => listIf(!volumes.includes(name), `${where}: there is no volume ${name}`)),
      ]
    }),
  ]
}

/** What a route names: its Gateway's listener, and the ports of its Services. */
function routes(objects: Objects): string[] {
  return objects.of('HTTPRoute').flatMap((route) => {
    const { parentRefs, hostnames, rules } = route.spec as Record<string, Manifest[]>
    const listeners = (parentRefs ?? []).map(({ name, sectionName }) =>
      objects.named('Gateway', `${name}`)?.spec.listeners.find((each: Manifest) => each.name === sectionName),
    )
    const backends = (rules ?? []).flatMap((rule) => (rule.backendRefs ?? []) as Manifest[])
    return [
      ...listeners.flatMap((listener) =>
        listener
          ? listIf(!(hostnames as unknown[]).includes(listener.hostname), `${textOf(route)}: not ${listener.hostname}`)
          : [`${textOf(route)}: there is no such listener`],
      ),
      ...backends.flatMap(({ name, port }) => {
        const service = objects.named('Service', `${name}`)
        const isThere = service?.spec.ports.some((each: Manifest) => each.port === port)
        return listIf(!isThere, `${textOf(route)}: there is no Service ${name} with a port ${port}`)
      }),
    ]
  })
}

/** What an API server fills in or leaves out, so that `kubectl diff` would always show it. */
function dirty(objects: Objects): string[] {
  const problems = (value: unknown, path: string): string[] => {
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, field]) => {
      const isReference = /^(certificate|parent|backend)Refs$/.test(name)
      const isIncomplete = isReference && (field as Manifest[]).some((each) => !('group' in each && 'kind' in each))
      return [
        ...listIf(
          /^(in|e)gress$/.test(name) && Array.isArray(field) && field.length === 0,
          `${path}.${name}: is empty`,
        ),
        ...listIf(isIncomplete, `${path}.${name}: lacks group or kind`),
        ...problems(field, `${path}.${name}`),
      ]
    })
  }
  return objects.all.flatMap((each) => problems(each.spec, textOf(each)))
}
