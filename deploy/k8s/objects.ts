import type { Manifest } from './manifests.ts'

/** Labels of a pod. */
export type Labels = Record<string, string>
/** Which pods are meant, by their labels. */
export interface Selector {
  matchLabels?: Labels
  matchExpressions?: { key: string; operator: string; values: string[] }[]
}

/** Whether a selector means pods with these labels. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector = {}, labels: Labels = {}): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, operator, values }) => values.includes(labels[key] ?? '') === (operator === 'In'))
  )
}

/** The objects of a system. */
export class Objects {
  readonly all: readonly Manifest[]

  constructor(all: readonly Manifest[]) {
    this.all = all
  }

  of(...kinds: string[]): Manifest[] {
    return this.all.filter(({ kind }) => kinds.includes(kind))
  }

  named(kind: string, name: string): Manifest | undefined {
    return this.of(kind).find(({ metadata }) => metadata.name === name)
  }

  /** The pods that objects run, as templates: those of Deployments, Jobs and CronJobs, and Pods themselves. */
  get pods(): Manifest[] {
    return this.all.flatMap((each) => {
      const pod = [each, each.spec?.template, each.spec?.jobTemplate?.spec.template].find((it) => it?.spec?.containers)
      return pod ? { ...pod, metadata: { ...pod.metadata, name: each.metadata.name } } : []
    })
  }

  get containers(): { where: string; pod: Manifest; container: Manifest }[] {
    return this.pods.flatMap(({ metadata, spec: pod }) =>
      [...(pod.initContainers ?? []), ...pod.containers].map((container) => {
        return { where: `${metadata.name}/${container.name}`, pod, container }
      }),
    )
  }

  scalersOf(name: string): Manifest[] {
    return this.of('HorizontalPodAutoscaler', 'ScaledObject').filter(({ spec }) => spec.scaleTargetRef.name === name)
  }

  /** The variables of a container, from ConfigMaps and its own; those from a Secret are undefined. */
  environmentOf({ envFrom = [], env = [] }: Manifest): NodeJS.ProcessEnv {
    const maps = envFrom.map(({ configMapRef }: Manifest) => this.named('ConfigMap', configMapRef?.name)?.data)
    return Object.assign({}, ...maps, ...env.map(({ name, value }: Manifest) => ({ [name as string]: value })))
  }

  /** Whom pods with these labels reach, or who reaches them: peers and ports, as policies allow them. */
  allowed(direction: 'egress' | 'ingress', labels: Labels): string[] {
    return this.of('NetworkPolicy')
      .filter(({ spec }) => selects(spec.podSelector, labels))
      .flatMap(({ spec }) => spec[direction] ?? [])
      .flatMap(({ to, from, ports }) => {
        const peers = (to ?? from ?? ['anyone']).map(peerText)
        return peers.flatMap((peer: string) =>
          (ports ?? [{ protocol: 'any', port: 'port' }]).map(
            (each: Manifest) => `${peer} ${each.protocol ?? 'TCP'} ${each.port}`,
          ),
        )
      })
  }
}

/** Describes a peer of a policy. */
function peerText(
  peer: 'anyone' | { ipBlock?: Manifest; namespaceSelector?: Selector; podSelector?: Selector },
): string {
  if (typeof peer === 'string') return peer
  const { ipBlock, namespaceSelector, podSelector } = peer
  if (ipBlock) return [ipBlock.cidr, ...(ipBlock.except ?? []).toSorted()].join(' -')
  const { matchLabels = {}, matchExpressions = [] } = podSelector ?? {}
  const pods = [...Object.values(matchLabels), ...matchExpressions.flatMap(({ values }) => values)]
  return [...Object.values(namespaceSelector?.matchLabels ?? {}), ...pods].join('/')
}
