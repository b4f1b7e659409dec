import { readConfig } from '@gatehouse/proto/process/config.ts'
import type { Manifest } from '../manifest.ts'
import { processNames, secretsOf, settingsOf } from '../processes.ts'
import { containersOf, eachProcess, ofKind, type Rule } from './rule.ts'

/** A variable of a container: its value, or where that is. */
interface Variable {
  name: string
  value?: string
  valueFrom?: { secretKeyRef?: { name: string; key: string } }
}

/** Variables that every process has, and which Node and OpenTelemetry read themselves. */
const OF_EVERY_PROCESS = /^(OPERATIONS_(HOST|PORT)|OTEL_\w+|NODE_EXTRA_CA_CERTS)$/
/** A user and a password in an address. */
const LOGIN = /:\/\/[^/\s]*@/
/** A value that every credential may have. */
const ANY_SECRET = Buffer.alloc(32).toString('base64')

/** The settings that a process gets by ConfigMaps and by itself, with their values; those from a Secret are undefined. */
function environmentOf(deployment: Manifest, manifests: readonly Manifest[]): Record<string, string | undefined> {
  const [container] = deployment.spec.template.spec.containers
  const maps = (container.envFrom ?? []).map(
    ({ configMapRef }: { configMapRef?: { name: string } }) =>
      ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef?.name)?.data,
  )
  const own = (container.env ?? []).map(({ name, value }: Variable) => [name, value])
  return Object.assign({}, ...maps, Object.fromEntries(own))
}

/** Which settings and credentials processes get. */
export const settingRules: readonly Rule[] = [
  {
    title: 'no secret stands in a manifest',
    problemsOf: (manifests) => {
      const names = new Set<string>(processNames.flatMap(secretsOf))
      const isLiteral = (name: string, value: string | undefined) =>
        value !== undefined && (names.has(name) || LOGIN.test(value))
      return [
        ...ofKind(manifests, 'Secret').map(({ metadata }) => `Secret ${metadata.name}`),
        ...ofKind(manifests, 'ConfigMap').flatMap(({ metadata, data }) =>
          Object.entries<string>(data ?? {})
            .filter(([name, value]) => isLiteral(name, value))
            .map(([name]) => `ConfigMap ${metadata.name}: ${name}`),
        ),
        ...containersOf(manifests).flatMap(({ where, container }) =>
          (container.env ?? [])
            .filter(({ name, value }: Variable) => isLiteral(name, value))
            .map(({ name }: Variable) => `${where}: ${name}`),
        ),
      ]
    },
  },
  eachProcess(
    'a process has the credentials which it is declared with, of a Secret of its own, and no others',
    (name, deployment) => {
      const [{ env = [], envFrom = [] }] = deployment.spec.template.spec.containers
      const given = env.flatMap(({ name, valueFrom }: Variable) => {
        const { secretKeyRef } = valueFrom ?? {}
        return secretKeyRef ? [`${name} from ${secretKeyRef.name} ${secretKeyRef.key}`] : []
      })
      const declared = secretsOf(name).map((secret) => `${secret} from gatehouse-${name} ${secret}`)
      const takesAll = envFrom.some(({ secretRef }: { secretRef?: object }) => secretRef)
      return [
        ...(takesAll ? ['takes all of a Secret'] : []),
        ...given.filter((each: string) => !declared.includes(each)),
        ...declared.filter((each) => !given.includes(each)).map((each) => `lacks ${each}`),
      ]
    },
  ),
  eachProcess(
    'every setting is known to a process, and each process starts with its own',
    async (name, deployment, manifests) => {
      const known = (await Promise.all(processNames.map(settingsOf))).flatMap(Object.keys)
      const given = environmentOf(deployment, manifests)
      const unknown = Object.keys(given).filter(
        (setting) => !known.includes(setting.toLowerCase()) && !OF_EVERY_PROCESS.test(setting),
      )
      const settings = await settingsOf(name)
      // Kubernetes starts nothing whose Secret lacks a key that is not optional.
      const needed = secretsOf(name).filter((secret) => !('default' in (settings[secret.toLowerCase()] ?? {})))
      try {
        readConfig(settings, { ...given, ...Object.fromEntries(needed.map((secret) => [secret, ANY_SECRET])) })
        return unknown
      } catch (error) {
        return [...unknown, (error as Error).message]
      }
    },
  ),
  eachProcess('a process is scaled by a queue of its own system', (name, deployment, manifests) => {
    const { NAMESPACE = 'gatehouse' } = environmentOf(deployment, manifests)
    return ofKind(manifests, 'ScaledObject')
      .filter(({ spec }) => spec.scaleTargetRef.name === name)
      .flatMap(({ spec }) => spec.triggers.map(({ metadata }: { metadata: { stream?: string } }) => metadata.stream))
      .filter((stream) => stream && !stream.startsWith(`${NAMESPACE}_`))
  }),
]
