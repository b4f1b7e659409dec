import { mainOf } from '../../../services/services.ts'
import { processNames } from '../processes.ts'
import { deploymentOf, eachProcess, ofKind, type Rule, selects } from './rule.ts'

/** That all processes run, and go on when some end. */
export const availabilityRules: readonly Rule[] = [
  {
    title: 'every process runs, as the file which it is',
    problemsOf: (manifests) =>
      processNames.flatMap((name) => {
        const args = deploymentOf(manifests, name)?.spec.template.spec.containers[0].args
        return args?.length === 1 && args[0] === mainOf(name) ? [] : [`${name}: no Deployment runs ${mainOf(name)}`]
      }),
  },
  eachProcess('a process is asked whether it lives and is ready', (_name, { spec }) => {
    const [container] = spec.template.spec.containers
    const ports = new Set((container.ports ?? []).map(({ name }: { name: string }) => name))
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe']
    return probes.filter((probe) => !ports.has(container[probe]?.httpGet?.port))
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
      .filter(({ labelSelector }: { labelSelector: object }) => selects(labelSelector, spec.template.metadata.labels))
      .map(({ topologyKey }: { topologyKey: string }) => topologyKey)
    return ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].filter((key) => !keys.includes(key))
  }),
]
