import { readConfig } from '@gatehouse/proto/process/config.ts'
import { mainOf } from '../../services/services.ts'
import type { Manifest } from './manifest.ts'
import { type ProcessName, processNames, secretsOf, settingsOf } from './processes.ts'

/** A rule which schemas can't express. */
export interface Rule {
  title: string
  /** Where a system's objects break it, in words; nothing where they keep it. */
  problemsOf(manifests: readonly Manifest[]): string[] | Promise<string[]>
}

/** A container with the Deployment which runs it. */
interface Container {
  where: string
  // biome-ignore lint/suspicious/noExplicitAny: schemas check the types
  pod: any
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  container: any
}

const ofKind = (manifests: readonly Manifest[], kind: string) => manifests.filter((manifest) => manifest.kind === kind)

function containersOf(manifests: readonly Manifest[]): Container[] {
  return ofKind(manifests, 'Deployment').flatMap(({ metadata, spec }) => {
    const pod = spec.template.spec
    const containers = [...(pod.initContainers ?? []), ...pod.containers]
    return containers.map((container) => ({ where: `${metadata.name}/${container.name}`, pod, container }))
  })
}

/** A rule of which each container has to keep every part. */
function eachContainer(title: string, parts: Record<string, (container: Container) => boolean>): Rule {
  return {
    title,
    problemsOf: (manifests) =>
      containersOf(manifests).flatMap((container) =>
        Object.entries(parts).flatMap(([part, isKept]) => (isKept(container) ? [] : [`${container.where}: ${part}`])),
      ),
  }
}

/** Whether a selector matches the labels of pods. */
function selects(selector: { matchLabels?: Record<string, string> }, labels: Record<string, string> = {}): boolean {
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value)
}

function deploymentOf(manifests: readonly Manifest[], name: ProcessName): Manifest | undefined {
  return ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === name)
}

/** A rule which each process has to keep; for those which a system has no Deployment of, the first rule says so. */
function eachProcess(
  title: string,
  problemsOf: (name: ProcessName, deployment: Manifest, manifests: readonly Manifest[]) => string[] | Promise<string[]>,
): Rule {
  return {
    title,
    problemsOf: async (manifests) => {
      const problems = processNames.map(async (name) => {
        const deployment = deploymentOf(manifests, name)
        return deployment ? (await problemsOf(name, deployment, manifests)).map((problem) => `${name}: ${problem}`) : []
      })
      return (await Promise.all(problems)).flat()
    },
  }
}

/** The settings which a process gets by ConfigMaps and by itself, with their values; from a Secret: undefined. */
function environmentOf(deployment: Manifest, manifests: readonly Manifest[]): Record<string, string | undefined> {
  const [container] = deployment.spec.template.spec.containers
  const maps = (container.envFrom ?? []).map(
    ({ configMapRef }: { configMapRef?: { name: string } }) =>
      ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef?.name)?.data,
  )
  const own = (container.env ?? []).map(({ name, value }: { name: string; value?: string }) => [name, value])
  return Object.assign({}, ...maps, Object.fromEntries(own))
}

/** Variables which are no settings of one process: where each is watched, and what Node and OpenTelemetry read themselves. */
const OF_EVERY_PROCESS = /^(OPERATIONS_(HOST|PORT)|OTEL_\w+|NODE_EXTRA_CA_CERTS)$/

const namesOf = (settings: object) => Object.keys(settings).map((name) => name.toUpperCase())

/** What a Secret may hold, valid for each of them: the bytes of a key. */
const KEY = Buffer.alloc(32).toString('base64')

/** All rules. */
export const rules: readonly Rule[] = [
  {
    title: 'every process runs, as the file which it is',
    problemsOf: (manifests) =>
      processNames.flatMap((name) => {
        const args = deploymentOf(manifests, name)?.spec.template.spec.containers[0].args
        return args?.length === 1 && args[0] === mainOf(name) ? [] : [`${name}: no Deployment runs ${mainOf(name)}`]
      }),
  },
  eachContainer('containers have no rights', {
    'may be root': ({ pod, container }) =>
      (container.securityContext?.runAsNonRoot ?? pod.securityContext?.runAsNonRoot) === true &&
      (container.securityContext?.runAsUser ?? pod.securityContext?.runAsUser) > 0,
    'may write to its file system': ({ container }) => container.securityContext?.readOnlyRootFilesystem === true,
    'may gain rights': ({ container }) => container.securityContext?.allowPrivilegeEscalation === false,
    'has capabilities': ({ container }) =>
      String(container.securityContext?.capabilities?.drop) === 'ALL' && !container.securityContext.capabilities.add,
    'may use every system call': ({ pod }) => pod.securityContext?.seccompProfile?.type === 'RuntimeDefault',
    'has a token of the cluster': ({ pod }) => pod.automountServiceAccountToken === false,
    'shares namespaces of the node': ({ pod }) => !pod.hostNetwork && !pod.hostPID && !pod.hostIPC,
  }),
  eachContainer('containers ask for what they need, and their memory is bounded', {
    'requests no processor': ({ container }) => Boolean(container.resources?.requests?.cpu),
    'requests no memory': ({ container }) => Boolean(container.resources?.requests?.memory),
    'has no limit of memory': ({ container }) => Boolean(container.resources?.limits?.memory),
  }),
  {
    title: 'no secret stands in a manifest',
    problemsOf: (manifests) => {
      const secret = ofKind(manifests, 'Secret').map(({ metadata }) => `Secret ${metadata.name}`)
      const names = new Set<string>(processNames.flatMap(secretsOf))
      const literal = (where: string, [name, value]: [string, string | undefined]) =>
        value !== undefined && (names.has(name) || /:\/\/[^/\s]*@/.test(value)) ? [`${where}: ${name}`] : []
      const maps = ofKind(manifests, 'ConfigMap').flatMap(({ metadata, data }) =>
        Object.entries<string>(data ?? {}).flatMap((entry) => literal(`ConfigMap ${metadata.name}`, entry)),
      )
      const own = containersOf(manifests).flatMap(({ where, container }) =>
        (container.env ?? []).flatMap(({ name, value }: { name: string; value?: string }) =>
          literal(where, [name, value]),
        ),
      )
      return [...secret, ...maps, ...own]
    },
  },
  eachProcess(
    'a process has the credentials which it is declared with, of a Secret of its own, and no others',
    (name, deployment) => {
      const [container] = deployment.spec.template.spec.containers
      // biome-ignore lint/suspicious/noExplicitAny: schemas check the types
      const given = (container.env ?? []).flatMap((variable: any) => {
        const { name: secret, key } = variable.valueFrom?.secretKeyRef ?? {}
        return secret ? [`${variable.name} from ${secret} ${key}`] : []
      })
      const declared = secretsOf(name).map((secret) => `${secret} from gatehouse-${name} ${secret}`)
      const isWhole = String(given.toSorted()) === String(declared.toSorted())
      const whole = (container.envFrom ?? []).some((source: { secretRef?: object }) => source.secretRef)
      return isWhole && !whole ? [] : [`takes ${given.join(', ') || 'none'}${whole ? ' and all of a Secret' : ''}`]
    },
  ),
  eachProcess(
    'every setting is known to a process, and each process starts with its own',
    async (name, deployment, manifests) => {
      const known = new Set((await Promise.all(processNames.map(settingsOf))).flatMap(namesOf))
      const given = environmentOf(deployment, manifests)
      const unknown = Object.keys(given).filter((setting) => !known.has(setting) && !OF_EVERY_PROCESS.test(setting))
      const settings = await settingsOf(name)
      // Kubernetes starts nothing whose Secret lacks a key which is not optional.
      const needed = secretsOf(name).filter((secret) => !('default' in (settings[secret.toLowerCase()] ?? {})))
      try {
        readConfig(settings, { ...given, ...Object.fromEntries(needed.map((secret) => [secret, KEY])) })
        return unknown
      } catch (error) {
        return [...unknown, (error as Error).message]
      }
    },
  ),
  eachProcess('a process is asked whether it lives and is ready', (_name, deployment) => {
    const [container] = deployment.spec.template.spec.containers
    const ports = new Set((container.ports ?? []).map((port: { name: string }) => port.name))
    return ['startupProbe', 'livenessProbe', 'readinessProbe'].filter(
      (probe) => !ports.has(container[probe]?.httpGet?.port),
    )
  }),
  eachProcess('a node can be emptied, one process of a kind at a time', (_name, { spec }, manifests) => {
    const budgets = ofKind(manifests, 'PodDisruptionBudget').filter((budget) =>
      selects(budget.spec.selector, spec.template.metadata.labels),
    )
    if (budgets.length !== 1) return [`has ${budgets.length} PodDisruptionBudgets`]
    return budgets[0]?.spec.maxUnavailable === 1 ? [] : ['its PodDisruptionBudget does not let one go']
  }),
  eachProcess('processes of a kind are spread over zones and nodes', (_name, { spec }) => {
    const keys = (spec.template.spec.topologySpreadConstraints ?? [])
      .filter((each: { labelSelector: object }) => selects(each.labelSelector, spec.template.metadata.labels))
      .map((each: { topologyKey: string }) => each.topologyKey)
    return ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].filter((key) => !keys.includes(key))
  }),
  {
    title: 'whatever is not allowed is forbidden: a policy for all pods, and one for each Deployment',
    problemsOf: (manifests) => {
      const policies = ofKind(manifests, 'NetworkPolicy')
      const both = ({ spec }: Manifest) => String(spec.policyTypes) === 'Ingress,Egress'
      const denies = policies.some(
        (policy) => both(policy) && !policy.spec.podSelector.matchLabels && !policy.spec.ingress && !policy.spec.egress,
      )
      const uncovered = ofKind(manifests, 'Deployment').filter(
        ({ spec }) =>
          !policies.some(
            (policy) =>
              both(policy) &&
              policy.spec.podSelector.matchLabels &&
              selects(policy.spec.podSelector, spec.template.metadata.labels),
          ),
      )
      return [...(denies ? [] : ['no policy forbids']), ...uncovered.map(({ metadata }) => metadata.name)]
    },
  },
  {
    title: 'what an object refers to is there',
    problemsOf: (manifests) => {
      const deployments = ofKind(manifests, 'Deployment')
      const isThere = (kind: string, name: string) =>
        ofKind(manifests, kind).some((each) => each.metadata.name === name)
      const labels = deployments.map(({ spec }) => spec.template.metadata.labels)
      const selectors = [
        ...ofKind(manifests, 'Service').map(({ spec, metadata }) => ({
          metadata,
          selector: { matchLabels: spec.selector },
        })),
        ...ofKind(manifests, 'PodDisruptionBudget').map(({ spec, metadata }) => ({
          metadata,
          selector: spec.selector,
        })),
        ...ofKind(manifests, 'NetworkPolicy').map(({ spec, metadata }) => ({ metadata, selector: spec.podSelector })),
        ...ofKind(manifests, 'PodMonitor').map(({ spec, metadata }) => ({ metadata, selector: spec.selector })),
      ]
      const scalers = [...ofKind(manifests, 'HorizontalPodAutoscaler'), ...ofKind(manifests, 'ScaledObject')]
      const routes = ofKind(manifests, 'HTTPRoute').flatMap(({ spec, metadata }) =>
        spec.rules.flatMap((rule: { backendRefs?: { name: string }[] }) =>
          (rule.backendRefs ?? []).filter(({ name }) => !isThere('Service', name)).map(() => metadata.name),
        ),
      )
      const maps = containersOf(manifests).flatMap(({ where, container }) =>
        (container.envFrom ?? []).flatMap(({ configMapRef }: { configMapRef?: { name: string } }) =>
          configMapRef && !isThere('ConfigMap', configMapRef.name) ? [`${where}: ${configMapRef.name}`] : [],
        ),
      )
      return [
        ...selectors
          .filter(({ selector }) => !labels.some((each) => selects(selector, each)))
          .map(({ metadata }) => `${metadata.name}: selects no pod`),
        ...scalers
          .filter(({ spec }) => !isThere('Deployment', spec.scaleTargetRef.name))
          .map(({ metadata }) => `${metadata.name}: scales nothing`),
        ...routes.map((name) => `${name}: leads nowhere`),
        ...maps,
      ]
    },
  },
]
