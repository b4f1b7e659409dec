import { join } from 'node:path'
import { findPlatform } from '@gatehouse/local/platform'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, type Manifest } from './manifests.ts'
import { Objects } from './objects.ts'
import { brokenReferences } from './references.ts'

/** A change of an object, and what is then said. */
type Fault = [what: string, kind: string, name: string, change: (object: Manifest) => void, sentence: string]

const FAULTS: Fault[] = [
  [
    'a Service without pods',
    'Service',
    'gateway',
    ({ spec }) => Object.assign(spec.selector, { a: 'b' }),
    'Service gateway selects no pod',
  ],
  [
    'a Deployment that takes the pods of another one',
    'Deployment',
    'promo',
    ({ spec }) => Object.assign(spec, { selector: { matchLabels: { 'app.kubernetes.io/part-of': 'gatehouse' } } }),
    'Deployment promo selects the pods of leads',
  ],
  [
    'a port that no container has',
    'Service',
    'gateway',
    ({ spec }) => Object.assign(spec.ports[0], { targetPort: 'web' }),
    'Service gateway: gateway has no port web',
  ],
  [
    'a port that nobody may reach',
    'NetworkPolicy',
    'proxies',
    ({ spec }) => Object.assign(spec, { ingress: [] }),
    'no NetworkPolicy lets anyone reach the port http of gateway',
  ],
  [
    'a policy about a port that no container has',
    'NetworkPolicy',
    'proxies',
    ({ spec }) => Object.assign(spec.ingress[0].ports[0], { port: 8081 }),
    'NetworkPolicy proxies: gateway has no port 8081',
  ],
  [
    'a probe of a port that the container lacks',
    'Deployment',
    'promo',
    ({ spec }) => Object.assign(spec.template.spec.containers[0].livenessProbe.httpGet, { port: 'ops' }),
    'promo/promo: livenessProbe: there is no port ops',
  ],
  [
    'a scaler of nothing',
    'ScaledObject',
    'mail',
    ({ spec }) => Object.assign(spec.scaleTargetRef, { name: 'post' }),
    'ScaledObject mail: there is no Deployment post',
  ],
  [
    'settings that are not there',
    'Deployment',
    'promo',
    ({ spec }) => Object.assign(spec.template.spec.containers[0].envFrom[0].configMapRef, { name: 'none' }),
    'promo/promo: there is no ConfigMap none',
  ],
  [
    'a mount without its volume',
    'Deployment',
    'badges',
    ({ spec }) => Object.assign(spec.template.spec, { volumes: [] }),
    'badges/badges: there is no volume wallet',
  ],
  [
    'a route to a port that the Service lacks',
    'HTTPRoute',
    'gatehouse',
    ({ spec }) => Object.assign(spec.rules[0].backendRefs[0], { port: 81 }),
    'HTTPRoute gatehouse: there is no Service gateway with a port 81',
  ],
  [
    'a route of a listener that the Gateway lacks',
    'HTTPRoute',
    'gatehouse',
    ({ spec }) => Object.assign(spec.parentRefs[0], { sectionName: 'tls' }),
    'HTTPRoute gatehouse: there is no such listener',
  ],
  [
    'a route of another host name',
    'HTTPRoute',
    'gatehouse',
    ({ spec }) => Object.assign(spec, { hostnames: ['other.example.org'] }),
    'HTTPRoute gatehouse: not gatehouse.example.org',
  ],
  [
    'an empty list',
    'NetworkPolicy',
    'default-deny',
    ({ spec }) => Object.assign(spec, { ingress: [] }),
    'NetworkPolicy default-deny.ingress: is empty',
  ],
  [
    'a reference without its kind',
    'HTTPRoute',
    'gatehouse',
    ({ spec }) => Object.assign(spec, { parentRefs: [{ name: 'gatehouse', sectionName: 'https' }] }),
    'HTTPRoute gatehouse.parentRefs: lacks group or kind',
  ],
]

const asked = process.env.OVERLAY
const folders = asked ? [asked] : ['deploy/k8s/overlays/development', 'deploy/k8s/overlays/production']

// kubectl comes from Debian if the machine has none.
describe.runIf(findPlatform() || asked)('references', () => {
  let built: Manifest[][]
  beforeAll(async () => {
    built = await Promise.all(folders.map((folder) => build(join(import.meta.dirname, '../..', folder))))
  })

  test('what objects refer to exists, and each port may be reached by someone', () => {
    expect(built.flatMap((each) => brokenReferences(new Objects(each)))).toEqual([])
  })

  test.skipIf(asked).each(FAULTS)('%s is found', (_what, kind, name, change, sentence) => {
    const objects = new Objects(structuredClone(built[1] ?? []))
    change(objects.named(kind, name) as Manifest)
    expect(brokenReferences(objects)).toContain(sentence)
  })
})
