import { isDeepStrictEqual } from 'node:util'
import type { Manifest } from '../manifest.ts'
import { NAME_SERVERS } from '../network.ts'
import { clientNames } from '../processes.ts'
import { containersOf, ofKind, podOf, type Rule, selects } from './rule.ts'

/** The kinds of objects that select pods, with their selectors. */
// biome-ignore lint/suspicious/noExplicitAny: schemas check the types
const SELECTORS: Record<string, (spec: any) => object> = {
  Service: ({ selector }) => ({ matchLabels: selector }),
  PodDisruptionBudget: ({ selector }) => selector,
  NetworkPolicy: ({ podSelector }) => podSelector,
  PodMonitor: ({ selector }) => selector,
}

/** Pods that cert-manager starts to answer Let's Encrypt (HTTP-01), and the port on which it asks. */
const SOLVERS = { labels: { 'acme.cert-manager.io/http01-solver': 'true' }, port: 8089 }

/** Who reaches whom, and what refers to what. */
export const connectionRules: readonly Rule[] = [
  {
    title: 'what is not allowed is forbidden: by a policy for all pods, and one for those of each object',
    problemsOf: (manifests) => {
      const policies = ofKind(manifests, 'NetworkPolicy').filter(
        ({ spec }) => String(spec.policyTypes) === 'Ingress,Egress',
      )
      const own = policies.filter(({ spec }) => spec.podSelector.matchLabels)
      const denies = policies.some((each) => !own.includes(each) && !each.spec.ingress && !each.spec.egress)
      const isCovered = (labels: Record<string, string>) => own.some(({ spec }) => selects(spec.podSelector, labels))
      return [
        ...(denies ? [] : ['no policy forbids']),
        ...manifests
          .filter((each) => podOf(each) && !isCovered(podOf(each).metadata.labels))
          .map(({ metadata }) => metadata.name),
      ]
    },
  },
  {
    title: 'every process reaches the name servers of each kind of cluster',
    problemsOf: (manifests) =>
      clientNames.filter((name) => {
        const policy = ofKind(manifests, 'NetworkPolicy').find(({ metadata }) => metadata.name === name)
        const allowed: object[] = policy?.spec.egress ?? []
        return NAME_SERVERS.some((each) => !allowed.some((other) => isDeepStrictEqual(each, other)))
      }),
  },
  {
    title: 'a certificate can be issued: proxies reach whoever answers for it',
    problemsOf: (manifests) => {
      const isOpen = ofKind(manifests, 'NetworkPolicy').some(
        ({ spec }) =>
          spec.podSelector.matchLabels &&
          selects(spec.podSelector, SOLVERS.labels) &&
          spec.ingress?.some(({ from, ports }: { from?: object[]; ports?: { port: number }[] }) => {
            return from?.length && ports?.some(({ port }) => port === SOLVERS.port)
          }),
      )
      return ofKind(manifests, 'Gateway')
        .filter(({ metadata }) =>
          Object.keys(metadata.annotations ?? {}).some((each) => each.startsWith('cert-manager.io/')),
        )
        .filter(() => !isOpen)
        .map(({ metadata }) => `${metadata.name}: no policy lets them`)
    },
  },
  {
    title: 'what an object refers to is there',
    problemsOf: (manifests) => {
      const isThere = (kind: string, name: string) =>
        ofKind(manifests, kind).some(({ metadata }) => metadata.name === name)
      const labels = [SOLVERS.labels, ...manifests.flatMap((each) => podOf(each)?.metadata.labels ?? [])]
      const selectsNone = ({ kind, spec }: Manifest) => {
        const selector = SELECTORS[kind]?.(spec)
        return selector && !labels.some((each) => selects(selector, each))
      }
      const scalers = [...ofKind(manifests, 'HorizontalPodAutoscaler'), ...ofKind(manifests, 'ScaledObject')]
      const backendsOf = ({ spec }: Manifest): { name: string }[] =>
        spec.rules.flatMap(({ backendRefs = [] }: { backendRefs?: { name: string }[] }) => backendRefs)
      return [
        ...manifests.filter(selectsNone).map(({ metadata }) => `${metadata.name}: selects no pod`),
        ...scalers
          .filter(({ spec }) => !isThere('Deployment', spec.scaleTargetRef.name))
          .map(({ metadata }) => `${metadata.name}: scales nothing`),
        ...ofKind(manifests, 'HTTPRoute')
          .filter((route) => backendsOf(route).some(({ name }) => !isThere('Service', name)))
          .map(({ metadata }) => `${metadata.name}: leads nowhere`),
        ...containersOf(manifests).flatMap(({ where, container }) =>
          (container.envFrom ?? [])
            .filter(({ configMapRef }: { configMapRef?: { name: string } }) => {
              return configMapRef && !isThere('ConfigMap', configMapRef.name)
            })
            .map(({ configMapRef }: { configMapRef: { name: string } }) => `${where}: ${configMapRef.name}`),
        ),
      ]
    },
  },
]
