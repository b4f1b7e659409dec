import { mainOf } from '../../services/services.ts'
import type { Manifest } from './manifest.ts'
import { egressOf, ingressOf, NAMESPACES } from './network.ts'
import { type ClientName, type ProcessName, type SecretName, secretsOf, settingsOf, sizeOf } from './processes.ts'

/** The ports of processes, by the names that probes and policies use. */
const PORTS = { http: 8080, operations: 9464 }

/** The user as which images without a shell run, who owns nothing. */
const NOBODY = 65_532

/** Longer than the longest request (DEADLINE_MS): a process that is asked to end answers what it has. */
const END_WITHIN_S = 60

const labelsOf = (name: string) => ({ 'app.kubernetes.io/name': name })

/** The objects of a process. */
export async function manifestsOf(name: ProcessName): Promise<Manifest[]> {
  return [
    await deploymentOf(name),
    ...(name === 'gateway' ? [gatewayService()] : []),
    disruptionBudgetOf(name),
    networkPolicyOf(name),
  ]
}

/** What runs the `gatehouse` command: `kubectl scale deployment/cli --replicas=1`, then `kubectl exec`. */
export function cliManifests(): Manifest[] {
  const wait = 'process.once("SIGTERM", () => process.exit()); setInterval(() => {}, 2 ** 30)'
  const container = {
    ...containerOf('cli', ['--eval', wait]),
    env: [secretVariable('cli', 'NATS_URL', false)],
    resources: { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '512Mi' } },
  }
  const stopped = deployment('cli', container)
  stopped.spec.replicas = 0
  return [stopped, networkPolicyOf('cli')]
}

async function deploymentOf(name: ProcessName): Promise<Manifest> {
  const { cpu, memory } = sizeOf(name)
  const settings = await settingsOf(name)
  const isOptional = (secret: SecretName) => 'default' in (settings[secret.toLowerCase()] ?? {})
  return deployment(name, {
    ...containerOf(name, [mainOf(name)]),
    env: [
      { name: 'OPERATIONS_HOST', value: '0.0.0.0' },
      { name: 'OPERATIONS_PORT', value: String(PORTS.operations) },
      ...(name === 'gateway'
        ? [
            { name: 'HOST', value: '0.0.0.0' },
            { name: 'PORT', value: String(PORTS.http) },
          ]
        : []),
      ...secretsOf(name).map((secret) => secretVariable(name, secret, isOptional(secret))),
    ],
    ports: [
      ...(name === 'gateway' ? [{ name: 'http', containerPort: PORTS.http }] : []),
      { name: 'operations', containerPort: PORTS.operations },
    ],
    // A first start creates indexes: two minutes.
    startupProbe: { httpGet: { path: '/livez', port: 'operations' }, periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { httpGet: { path: '/livez', port: 'operations' }, periodSeconds: 10, timeoutSeconds: 5 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'operations' }, periodSeconds: 5, timeoutSeconds: 5 },
    // Proxies send requests for a moment after a process has left the Service.
    ...(name === 'gateway' && { lifecycle: { preStop: { sleep: { seconds: 5 } } } }),
    resources: { requests: { cpu, memory: `${memory}Mi` }, limits: { memory: `${2 * memory}Mi` } },
  })
}

function deployment(name: string, container: object): Manifest {
  const spread = (topologyKey: string) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: labelsOf(name) },
    // Those of a version are spread by themselves, so that a rolling upgrade ends as evenly as it began.
    matchLabelKeys: ['pod-template-hash'],
  })
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: labelsOf(name) },
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels: labelsOf(name) },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: END_WITHIN_S,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: NOBODY,
            runAsGroup: NOBODY,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          topologySpreadConstraints: [spread('topology.kubernetes.io/zone'), spread('kubernetes.io/hostname')],
          containers: [container],
        },
      },
    },
  }
}

function containerOf(name: string, args: string[]): object {
  return {
    name,
    image: 'gatehouse',
    args,
    envFrom: [{ configMapRef: { name: 'gatehouse-settings' } }],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  }
}

/** Each process has a Secret of its own, so that it holds no credential of another. */
function secretVariable(client: ClientName, name: SecretName, optional: boolean): object {
  return {
    name,
    valueFrom: { secretKeyRef: { name: `gatehouse-${client}`, key: name, ...(optional && { optional }) } },
  }
}

function gatewayService(): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'gateway' },
    spec: { selector: labelsOf('gateway'), ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  }
}

function disruptionBudgetOf(name: ProcessName): Manifest {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    // One that is not ready may always go: else it would keep its node for ever.
    spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: { matchLabels: labelsOf(name) } },
  }
}

function networkPolicyOf(name: ClientName): Manifest {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec: {
      podSelector: { matchLabels: labelsOf(name) },
      policyTypes: ['Ingress', 'Egress'],
      ingress: ingressOf(name),
      egress: egressOf(name),
    },
  }
}

/** What scales a process in production. */
export function scalerOf(name: ProcessName): Manifest {
  const { processes, queue } = sizeOf(name)
  const [least, most] = processes
  if (queue)
    return {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata: { name },
      spec: {
        scaleTargetRef: { name },
        minReplicaCount: least,
        maxReplicaCount: most,
        // While NATS does not answer: as many as before.
        fallback: { failureThreshold: 3, replicas: least, behavior: 'currentReplicasIfHigher' },
        triggers: [
          {
            type: 'nats-jetstream',
            metadata: {
              natsServerMonitoringEndpoint: `nats-headless.${NAMESPACES.stores}.svc.cluster.local:8222`,
              account: '$G',
              stream: `gatehouse_${queue.stream}`,
              consumer: queue.consumer,
              lagThreshold: String(queue.perProcess),
            },
          },
        ],
      },
    }
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: least,
      maxReplicas: most,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
      ],
    },
  }
}
