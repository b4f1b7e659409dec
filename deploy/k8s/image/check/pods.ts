import { stringify } from 'yaml'
import type { Manifest } from '../../manifests.ts'

/** The image of the development overlay, as engines without a registry name it. */
export const IMAGE = 'localhost/gatehouse:development'

/** What a key of a Secret holds; undefined if it is not set. */
export type SecretOf = (secret: string, key: string) => string | undefined

/**
 * Returns the Pod that a Deployment makes, with what podman 4 knows of it: no probes (which it would run in the container), no lifecycle, no ports
 * (which it would open on this machine), the user of
 * the Pod at its container, and the keys of Secrets as they are.
 */
export function podOf({ spec }: Manifest, name: string, secretOf: SecretOf): Manifest {
  const { containers, securityContext, volumes = [], terminationGracePeriodSeconds } = spec.template.spec
  const { runAsUser, runAsGroup, runAsNonRoot } = securityContext
  // There are no Secrets: no wallet passes, and the stores of this machine have no TLS.
  const kept = volumes.filter((each: { secret?: object }) => !each.secret)
  const [
    {
      lifecycle: _,
      startupProbe: _s,
      livenessProbe: _l,
      readinessProbe: _r,
      ports: _p,
      volumeMounts = [],
      ...container
    },
  ] = containers
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: spec.template.metadata.labels },
    spec: {
      terminationGracePeriodSeconds,
      restartPolicy: 'Never',
      volumes: kept,
      containers: [
        {
          ...container,
          name: 'process',
          env: container.env.flatMap((each: Variable) =>
            each.name === 'NODE_EXTRA_CA_CERTS' ? [] : plain(each, secretOf),
          ),
          image: IMAGE,
          imagePullPolicy: 'Never',
          volumeMounts: volumeMounts.filter((mount: { name: string }) =>
            kept.some((volume: { name: string }) => volume.name === mount.name),
          ),
          securityContext: { runAsUser, runAsGroup, runAsNonRoot, ...container.securityContext },
        },
      ],
    },
  }
}

interface Variable {
  name: string
  value?: string
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } }
}

/** An environment variable without a reference; none if the Secret need not have the key and has not. */
function plain({ name, value, valueFrom }: Variable, secretOf: SecretOf): Variable[] {
  if (!valueFrom) return [{ name, value: value ?? '' }]
  const { name: secret, key, optional } = valueFrom.secretKeyRef
  const found = secretOf(secret, key)
  if (found === undefined && !optional) throw new Error(`${secret} has no ${key}`)
  return found === undefined ? [] : [{ name, value: found }]
}

/** The container of a pod of {@link podOf}. */
export const containerOf = (pod: string): string => `${pod}-process`

/** Objects as one YAML text. */
export function yamlOf(manifests: readonly Manifest[]): string {
  return manifests.map((each) => stringify(each)).join('---\n')
}
