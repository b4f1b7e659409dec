import type { Manifest } from '../manifest.ts'
import { type ProcessName, processNames } from '../processes.ts'

/** A rule that schemas can't express. */
export interface Rule {
  /** What holds. */
  title: string
  /** Where the objects of a system break it, in words. */
  problemsOf(manifests: readonly Manifest[]): string[] | Promise<string[]>
}

/** A container, the pod in which it runs, and where that stands. */
export interface Container {
  where: string
  // biome-ignore lint/suspicious/noExplicitAny: schemas check the types
  pod: any
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  container: any
}

/** The objects of a kind. */
export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind)
}

/** The pod that an object runs, as a template: a Deployment's, a Job's, a CronJob's, that of a Pod itself; undefined of others. */
// biome-ignore lint/suspicious/noExplicitAny: schemas check the types
export function podOf(manifest: Manifest): any {
  const { spec } = manifest
  return [manifest, spec?.template, spec?.jobTemplate?.spec.template].find((each) => each?.spec?.containers)
}

/** All containers, those that only prepare something included. */
export function containersOf(manifests: readonly Manifest[]): Container[] {
  return manifests.flatMap((manifest) => {
    const pod = podOf(manifest)?.spec
    const containers = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])]
    return containers.map((container) => ({ where: `${manifest.metadata.name}/${container.name}`, pod, container }))
  })
}

/** Whether a selector matches the labels of pods. */
export function selects(
  selector: { matchLabels?: Record<string, string> },
  labels: Record<string, string> = {},
): boolean {
  return Object.entries(selector.matchLabels ?? {}).every(([name, value]) => labels[name] === value)
}

/** The Deployment of a process. */
export function deploymentOf(manifests: readonly Manifest[], name: ProcessName): Manifest | undefined {
  return ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === name)
}

/** A rule that each container has to keep; a part that it does not keep is named by what is wrong then. */
export function eachContainer(title: string, parts: Record<string, (container: Container) => boolean>): Rule {
  return {
    title,
    problemsOf: (manifests) =>
      containersOf(manifests).flatMap((container) =>
        Object.entries(parts).flatMap(([part, isKept]) => (isKept(container) ? [] : [`${container.where}: ${part}`])),
      ),
  }
}

/** A rule that the Deployment of each process has to keep. */
export function eachProcess(
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
