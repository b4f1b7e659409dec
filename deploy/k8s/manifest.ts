/** An object of Kubernetes. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: kinds differ, and tests read any field
  spec?: any
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  [field: string]: any
}
