import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { serviceNames, services } from '../../services/services.ts'
import { type Manifest, manifestsIn } from './manifests.ts'

/** The keys of the Secret `gatehouse-<name>` of each process, of the `gatehouse` command, and of backups. */
export const credentials: Readonly<Record<string, readonly string[]>> = {
  gateway: ['NATS_URL'],
  ...Object.fromEntries(serviceNames.map((name) => [name, ['NATS_URL', ...services[name].credentials]])),
  cli: ['NATS_URL'],
  backup: ['MONGODB_URL'],
  restore: ['MONGODB_URL'],
}

/** A key of a Secret. Keys with the same credential hold the same value, some as the password of a URL. */
interface Place {
  namespace: string
  name: string
  key: string
  credential: string
  urlOf?: (password: string) => string
}

/** A key of a Secret of a store. */
function ofStore(name: string, key: string, credential: string): Place {
  return { namespace: 'gatehouse-stores', name, key, credential }
}

/** Where each process has the certificate of the authority that signs those of the stores: the volume `stores-ca`. */
export const STORES_CA = '/etc/gatehouse/stores/ca.crt'
/** What an address of MongoDB says of TLS. NATS and Redis have a scheme for it, and Node has the authority by NODE_EXTRA_CA_CERTS. */
const MONGODB_TLS = `tls=true&tlsCAFile=${STORES_CA}`

/** The keys of the Secrets of a system and of its stores; the addresses are those of the charts and operators of the stores. */
const places: Place[] = Object.entries(credentials).flatMap(([client, keys]) => {
  const own = keys.map((key): Place => {
    const place = { namespace: 'gatehouse', name: `gatehouse-${client}`, key }
    const host = 'gatehouse-stores.svc.cluster.local'
    if (key === 'SECRETS_KEY') return { ...place, credential: key }
    if (key === 'REDIS_URL')
      return { ...place, credential: key, urlOf: (word) => `rediss://:${word}@redis.${host}:6379` }
    const credential = `${key} of ${client}`
    if (key === 'NATS_URL')
      return { ...place, credential, urlOf: (word) => `tls://${client}:${word}@nats.${host}:4222` }
    if (key !== 'MONGODB_URL') return { ...place, credential }
    const query = `?replicaSet=mongodb&authSource=admin&${MONGODB_TLS}`
    return { ...place, credential, urlOf: (word) => `mongodb://${client}:${word}@mongodb-svc.${host}:27017/${query}` }
  })
  return [
    ...own,
    ...(keys.includes('NATS_URL')
      ? [ofStore('nats-passwords', `NATS_PASSWORD_${client.toUpperCase()}`, `NATS_URL of ${client}`)]
      : []),
    ...(keys.includes('MONGODB_URL') ? [ofStore(`mongodb-${client}`, 'password', `MONGODB_URL of ${client}`)] : []),
    ...(keys.includes('REDIS_URL') ? [ofStore('redis', 'password', 'REDIS_URL')] : []),
  ]
})
// Users of stores alone: MongoDB's exporter, and operators in nats-box.
places.push(
  ofStore('mongodb-monitor', 'password', 'monitor'),
  ofStore('nats-passwords', 'NATS_PASSWORD_OPERATOR', 'NATS_PASSWORD_OPERATOR'),
)

/** Returns a new credential, or that of the environment if it is not ours to make (SMTP_URL and the like). */
function newCredential({ key, urlOf, namespace }: Place, env: NodeJS.ProcessEnv): string | undefined {
  if (key === 'SECRETS_KEY') return randomBytes(32).toString('base64')
  // It begins with a letter, since NATS reads a variable of digits as a number.
  if (urlOf || namespace === 'gatehouse-stores') return `p${randomBytes(32).toString('hex')}`
  return env[key] || undefined
}

/** Returns a stored address as it has to be: those of before the stores encrypted lack TLS. An address of another store stays as it is. */
function encrypted(text: string, ours: string): string {
  if (!URL.canParse(text) || new URL(text).host !== new URL(ours).host) return text
  const { protocol, searchParams } = new URL(text)
  if (protocol !== 'mongodb:') return text.replace(/^nats:/, 'tls:').replace(/^redis:/, 'rediss:')
  return searchParams.has('tls') ? text : `${text}${text.includes('?') ? '&' : '?'}${MONGODB_TLS}`
}

/** Returns the texts in a Secret, by key. */
function textsIn({ data = {}, stringData = {} }: Manifest): Record<string, string> {
  const decoded = Object.entries<string>(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])
  return { ...Object.fromEntries(decoded), ...stringData }
}

/**
 * Returns the Secrets that a system lacks, with new passwords: one for each process with its credentials, and those by which the stores know them. A
 * Secret that lacks only some keys, as after an upgrade, keeps its others. With them comes the authority that signs the certificates of the stores,
 * once cert-manager has made it. Throws if existing Secrets contradict each other.
 */
export function missingSecrets(existing: readonly Manifest[], env: NodeJS.ProcessEnv): Manifest[] {
  const storedOf = ({ namespace, name }: Place) =>
    existing.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
  const textOf = (place: Place): string | undefined => textsIn(storedOf(place) ?? ({} as Manifest))[place.key]
  const credentialOf = (group: Place[]): string | undefined => {
    const known = group.flatMap((place) => {
      const text = textOf(place)
      const value = text && place.urlOf ? passwordIn(text) : text
      return value ? [{ where: `${place.key} of ${place.name}`, value }] : []
    })
    if (known.some(({ value }) => value !== known[0]?.value)) {
      const all = known.map(({ where }) => where).join(' and ')
      throw new Error(`${all} contradict each other: delete the wrong ones and try again`)
    }
    return known[0]?.value ?? newCredential(group[0] as Place, env)
  }
  const groups = Map.groupBy(places, ({ credential }) => credential)
  const values = new Map([...groups].map(([credential, group]) => [credential, credentialOf(group)]))
  const secrets = Map.groupBy(places, ({ namespace, name }) => `${namespace}/${name}`)
  const lacking = [...secrets.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const added = [first, ...others].flatMap((place) => {
      const text = textOf(place)
      const value = values.get(place.credential)
      const made = value && (place.urlOf?.(value) ?? value)
      const right = text && made && place.urlOf ? encrypted(text, made) : text || made
      return right && right !== text ? [[place.key, right]] : []
    })
    const stored = storedOf(first)
    if (stored && added.length === 0) return []
    // With all its keys: `kubectl apply` takes away those that are not there.
    const stringData = { ...stored?.stringData, ...Object.fromEntries(added) }
    const metadata = { name: first.name, namespace: first.namespace }
    return { apiVersion: 'v1', kind: 'Secret', metadata, stringData, ...(stored?.data && { data: stored.data }) }
  })
  return [...lacking, ...authorityFor(existing)]
}

/** Returns the Secret of the authority for the processes, if theirs lacks it; it may have others too. */
function authorityFor(existing: readonly Manifest[]): Manifest[] {
  const certificateIn = (wanted: string): string => {
    const secret = existing.find(({ metadata }) => metadata.namespace === wanted && metadata.name === 'stores-ca')
    return (secret && textsIn(secret)['ca.crt']) ?? ''
  }
  const [certificate, trusted] = [certificateIn('gatehouse-stores'), certificateIn('gatehouse')]
  if (trusted.includes(certificate)) return []
  const metadata = { name: 'stores-ca', namespace: 'gatehouse' }
  return [{ apiVersion: 'v1', kind: 'Secret', metadata, stringData: { 'ca.crt': trusted + certificate } }]
}

function passwordIn(url: string): string | undefined {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).password) : undefined
}

/** Returns the Secrets in what `kubectl get secrets --output json` (or `yaml`) prints. */
export function secretsIn(text: string): Manifest[] {
  return manifestsIn(text).flatMap((each) => (each?.kind === 'List' ? (each.items as Manifest[]) : (each ?? [])))
}

/** Prints what is missing, for `kubectl apply`. It replaces nothing that exists, least of all the key of what is sealed in the database. */
async function main(): Promise<void> {
  const { Command, runCommand } = await import('@gatehouse/proto/process/command.ts')
  const command = new Command('node deploy/k8s/secrets.ts')
    .description('Prints the Secrets that a system on Kubernetes lacks, with new passwords.')
    .requiredOption(
      '--existing <file>',
      'what `kubectl get secrets --namespace … --output json` prints: of both namespaces, one file each',
      (file: string, files: string[]) => [...files, file],
      [],
    )
    .action(async ({ existing }: { existing: string[] }) => {
      const texts = await Promise.all(existing.map((file) => readFile(file, 'utf8')))
      const known = texts.flatMap(secretsIn)
      const missing = missingSecrets(known, process.env)
      process.stdout.write(missing.map((each) => stringify(each)).join('---\n'))
      if (missing.length === 0) process.stderr.write('No Secret is missing.\n')
      if (!known.some(({ metadata }) => metadata.name === 'stores-ca'))
        process.stderr.write(
          'cert-manager has not made stores-ca yet, without which no process starts: run this again then.\n',
        )
    })
  await runCommand(command).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}

if (import.meta.main) await main()
