import type { Manifest } from './manifest.ts'

/** A class of kubernetes-models: its instances are objects of a kind, which validate themselves. */
interface Model {
  kind: string
  prototype: { validate(this: object): void }
}

/** The packages with the schemas of the kinds that are not Kubernetes' own, by group. */
const PACKAGES: Record<string, string> = {
  'keda.sh': '@kubernetes-models/keda',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

/** What an object has against the schema of its kind, unknown fields included; nothing if it is valid. */
export async function schemaProblems(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind } = manifest
  const models = await modelsOf(apiVersion)
  const model = Object.values(models).find((each) => each.kind === kind)
  if (!model) return [`${apiVersion} ${kind}: no such kind is known`]
  const unread = new Set<string>()
  try {
    model.prototype.validate.call(watched(manifest, '', unread))
  } catch (error) {
    const errors = (error as { errors?: { instancePath: string; message: string }[] }).errors
    if (!errors) throw error
    return errors.map(({ instancePath, message }) => `${instancePath}: ${message}`)
  }
  return [...unread].map((path) => `${path}: is not a field`)
}

async function modelsOf(apiVersion: string): Promise<Record<string, Model>> {
  const [group = ''] = apiVersion.split('/')
  const path = `${PACKAGES[group] ?? 'kubernetes-models'}/${apiVersion}`
  return await import(path).catch((error) => {
    if (error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return {}
    throw error
  })
}

/**
 * A view of a value that takes the path of each field out of `unread` when it is read. Kubernetes' schemas let unknown fields pass; but a
 * validator, which is compiled from a schema, reads all fields that that knows, so those that nobody read are unknown. (A field that may be
 * anything is not read either. None of ours is of that kind.)
 */
function watched<T>(value: T, path: string, unread: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value
  const pathOf = (name: PropertyKey) => `${path}/${String(name)}`
  const fields = new Map(Object.entries(value).map(([name, field]) => [name, watched(field, pathOf(name), unread)]))
  for (const name of fields.keys()) unread.add(pathOf(name))
  return new Proxy(value, {
    get: (target, name) => {
      unread.delete(pathOf(name))
      return fields.get(name as string) ?? Reflect.get(target, name)
    },
    ownKeys: (target) => {
      for (const name of fields.keys()) unread.delete(pathOf(name))
      return Reflect.ownKeys(target)
    },
  })
}
