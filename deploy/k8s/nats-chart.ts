/**
 * What the chart `nats` 1.2.8 makes of its values, as far as files are concerned: a container that is started with a file that it does not mount
 * ends at once. The chart's templates are files/stateful-set/{nats,reloader}-container.yaml and pod-template.yaml.
 */

interface Mount {
  name: string
  mountPath: string
}

/** A container, and the files with which the chart starts it. */
interface Container {
  name: string
  volumeMounts: Mount[]
  files: string[]
}

interface PodSpec {
  containers: Container[]
  volumes: { name: string }[]
}

/** A step of a JSON Patch (RFC 6902). */
interface Step {
  op: string
  path: string
  value: unknown
}

interface Changes {
  merge?: object
  patch?: Step[]
}

/** The values that matter here. */
export interface NatsValues {
  config: { merge?: object; jetstream?: { enabled?: boolean } }
  container?: Changes
  reloader?: Changes & { enabled?: boolean; natsVolumeMountPrefixes?: string[] }
  podTemplate?: Changes & { topologySpreadConstraints?: Record<string, { whenUnsatisfiable?: string }> }
  podDisruptionBudget?: { enabled?: boolean }
}

const CONFIG_FOLDER = '/etc/nats-config'
const CONFIG_FILE = `${CONFIG_FOLDER}/nats.conf`
const PID: Mount = { name: 'pid', mountPath: '/var/run/nats' }
/** The volume of the StatefulSet's own claims. */
const QUEUES: Mount = { name: 'nats-js', mountPath: '/data' }

/** What starts with files that it does not mount, or mounts what is no volume. */
export function natsProblems(values: NatsValues): string[] {
  const { containers, volumes } = podOf(values)
  const known = [QUEUES, ...volumes].map(({ name }) => name)
  return containers.flatMap(({ name, volumeMounts, files }) => [
    ...files
      .filter((file) => !volumeMounts.some(({ mountPath }) => file.startsWith(`${mountPath}/`)))
      .map((file) => `${name} starts with ${file} and does not mount it`),
    ...volumeMounts
      .filter((mount) => !known.includes(mount.name))
      .map((mount) => `${name} mounts no volume ${mount.name}`),
  ])
}

function podOf({ config, container, reloader = {}, podTemplate }: NatsValues): PodSpec {
  const files = [CONFIG_FILE, ...includesIn(config.merge)]
  const mounts = [{ name: 'config', mountPath: CONFIG_FOLDER }, PID, ...(config.jetstream?.enabled ? [QUEUES] : [])]
  const nats = changed({ name: 'nats', volumeMounts: mounts, files }, container)
  const { enabled = true, natsVolumeMountPrefixes: prefixes = ['/etc/'] } = reloader
  // Of what the nats container mounts when it is patched; what is patched into the pod later is not seen.
  const shared = nats.volumeMounts.filter(({ mountPath }) => prefixes.some((prefix) => mountPath.startsWith(prefix)))
  const sidecar = changed({ name: 'reloader', volumeMounts: [PID, ...shared], files }, reloader)
  const spec: PodSpec = {
    containers: enabled ? [nats, sidecar] : [nats],
    volumes: [{ name: 'config' }, { name: PID.name }],
  }
  return changed({ spec }, podTemplate).spec
}

/** The files that the configuration includes, as the reloader gets them. */
function includesIn(config: unknown): string[] {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) return []
  return Object.entries(config).flatMap(([key, value]) =>
    key.endsWith('$include') ? [new URL(value, `file://${CONFIG_FOLDER}/`).pathname] : includesIn(value),
  )
}

/** An object after the chart has merged and patched it. Throws for a step that these values do not need. */
function changed<T extends object>(object: T, { merge = {}, patch = [] }: Changes = {}): T {
  const result = structuredClone({ ...object, ...merge })
  for (const { op, path, value } of patch) {
    const steps = path.split('/').slice(1)
    if (op !== 'add' || steps.pop() !== '-') throw new Error(`${op} ${path}: only "add" at the end of a list is known`)
    // biome-ignore lint/suspicious/noExplicitAny: any field
    const list = steps.reduce((field: any, step) => field?.[step], result)
    if (!Array.isArray(list)) throw new Error(`${path}: there is no such list`)
    list.push(value)
  }
  return result
}
