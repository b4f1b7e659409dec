import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findOperatorTool } from '@gatehouse/local/operator-tools'
import { parseAllDocuments } from 'yaml'

/** An object of Kubernetes. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: schemas check the fields of each kind
  [field: string]: any
}

/** Builds a folder with kustomize, without a cluster. Throws what kustomize says if it rejects the folder. */
export async function build(folder: string): Promise<Manifest[]> {
  const kubectl = await findOperatorTool('kubectl', console.error)
  const { stdout } = await promisify(execFile)(kubectl, ['kustomize', folder], { maxBuffer: 64 * 1024 ** 2 })
  return manifestsIn(stdout)
}

/** Returns the objects of a YAML text. */
export function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    for (const problem of [...document.errors, ...document.warnings]) throw problem
    return document.toJS() as Manifest
  })
}

/** The packages with the schemas of the kinds that are not Kubernetes' own, by group. */
const SCHEMAS: Record<string, string> = {
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'keda.sh': '@kubernetes-models/keda',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

interface Model {
  kind: string
  prototype: { validate(this: object): void }
}

/** Returns what an object has against the schema of its kind, unknown fields included. */
export async function schemaProblems(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind, metadata } = manifest
  const [group = ''] = apiVersion.split('/')
  const models: Record<string, Model> = await import(`${SCHEMAS[group] ?? 'kubernetes-models'}/${apiVersion}`).catch(
    () => ({}),
  )
  const model = Object.values(models).find((each) => each.kind === kind)
  if (!model) return [`${kind} ${metadata?.name}: ${apiVersion} ${kind}: no such kind is known`]
  const unread = new Set<string>()
  try {
    model.prototype.validate.call(watched(manifest, '', unread))
  } catch (error) {
    const { errors } = error as { errors?: { instancePath: string; message: string }[] }
    if (!errors) throw error
    return errors.map(({ instancePath, message }) => `${kind} ${metadata.name}: ${instancePath}: ${message}`)
  }
  return [...unread].map((path) => `${kind} ${metadata.name}: ${path}: is not a field`)
}

/**
 * Returns a copy of a value that takes the path of each field out of `unread` when it is read. Kubernetes' schemas accept unknown fields, but their
 * validators read every field that they know, so a field that nobody read is unknown.
 */
function watched<T>(value: T, path: string, unread: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value
  const copy = (Array.isArray(value) ? [] : {}) as T
  for (const [name, field] of Object.entries(value)) {
    const fieldPath = `${path}/${name}`
    const copied = watched(field, fieldPath, unread)
    unread.add(fieldPath)
    const get = () => {
      unread.delete(fieldPath)
      return copied
    }
    Object.defineProperty(copy, name, { get, enumerable: true })
  }
  return copy
}
