import type { Manifest } from '../manifest.ts'
import { type NatsValues, natsProblems } from '../nats-chart.ts'
import { ofKind, selects } from './rule.ts'

const HOSTNAME = 'kubernetes.io/hostname'

/** What the stores are made of: the objects for their operators, and the values for the chart of NATS. */
export interface Stores {
  manifests: readonly Manifest[]
  nats: NatsValues
}

/** Where the stores would not start, or would lose their majority while nodes are emptied. */
export function storeProblems({ manifests, nats }: Stores): string[] {
  const { podTemplate, podDisruptionBudget } = nats
  const isApart = podTemplate?.topologySpreadConstraints?.[HOSTNAME]?.whenUnsatisfiable === 'DoNotSchedule'
  return [
    ...natsProblems(nats).map((problem) => `NATS starts. ${problem}`),
    ...(isApart ? [] : ['A node may go. Two servers of NATS may share one']),
    ...(podDisruptionBudget?.enabled === false ? ['A node may go. NATS has no PodDisruptionBudget'] : []),
    ...ofKind(manifests, 'MongoDBCommunity').flatMap((each) =>
      problemsOf(each, manifests).map((problem) => `A node may go. MongoDB ${problem}`),
    ),
  ]
}

function problemsOf({ metadata, spec }: Manifest, manifests: readonly Manifest[]): string[] {
  // The labels that the operator gives its pods.
  const labels = { app: `${metadata.name}-svc` }
  const budget = ofKind(manifests, 'PodDisruptionBudget').find((each) => selects(each.spec.selector, labels))
  const spread = spec.statefulSet?.spec?.template?.spec?.topologySpreadConstraints ?? []
  const isApart = spread.some(
    (each: { topologyKey: string; whenUnsatisfiable: string; labelSelector: object }) =>
      each.topologyKey === HOSTNAME &&
      each.whenUnsatisfiable === 'DoNotSchedule' &&
      selects(each.labelSelector, labels),
  )
  return [
    ...(budget?.spec.maxUnavailable === 1 ? [] : ['has no PodDisruptionBudget which lets one member go']),
    // Otherwise one that catches up does not count, and another may go meanwhile.
    ...(budget?.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' ? ['lets members go which are not ready'] : []),
    ...(isApart ? [] : ['may have two members on a node']),
  ]
}
