import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { manifestsIn } from './build.ts'
import type { Manifest } from './manifest.ts'
import { NAMESPACES, stores } from './network.ts'
import { type ClientName, clientNames, type SecretName, secretsOf } from './processes.ts'
import { databaseUsers } from './stores.ts'

/** A password. It begins with a letter, since NATS reads a variable of digits as a number. */
const newPassword = () => `p${randomBytes(32).toString('hex')}`

/** Where the charts and operators of the stores have them listen. */
const addressOf = (service: string, port: number) => `${service}.${NAMESPACES.stores}.svc.cluster.local:${port}`
const addresses = {
  NATS_URL: addressOf('nats', stores.nats.port),
  MONGODB_URL: addressOf('mongodb-svc', stores.mongodb.port),
  REDIS_URL: addressOf('redis', stores.redis.port),
}
const REPLICA_SET = '?replicaSet=mongodb&authSource=admin'

function secret(namespace: string | undefined, name: string, stringData: Record<string, string>): Manifest {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, ...(namespace && { namespace }) }, stringData }
}

/** The texts in a Secret, by key. */
function textsIn({ data = {}, stringData = {} }: Manifest): Record<string, string> {
  const decoded = Object.entries<string>(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()])
  return { ...Object.fromEntries(decoded), ...stringData }
}

/** A credential that several Secrets hold: what they hold of it, by where that stands. Gives a new one if none has it. */
function agreed(held: Record<string, string | undefined>, make: () => string): string {
  const known = Object.entries(held).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const [[, first] = ['', make()]] = known
  if (known.every(([, value]) => value === first)) return first
  throw new Error(
    `${known.map(([where]) => where).join(' and ')} contradict each other: delete the wrong ones and try again`,
  )
}

function passwordIn(url: string | undefined): string | undefined {
  return url && URL.canParse(url) ? decodeURIComponent(new URL(url).password) : undefined
}

/**
 * The Secrets that a system lacks, with new passwords: one for each process with its credentials, and those by which the stores know them. Of
 * one that lacks only some keys, as after an upgrade, the others stay as they are. What is not ours to make (SMTP_URL and the like) comes from
 * `given`; what is not there is left out. Throws if existing Secrets contradict each other.
 */
export function missingSecrets(existing: readonly Manifest[], given: NodeJS.ProcessEnv): Manifest[] {
  const found = (namespace: string | undefined, name: string) =>
    existing.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
  const textsOf = (namespace: string, name: string) => textsIn(found(namespace, name) ?? secret(namespace, name, {}))
  const held = Object.fromEntries(
    clientNames.map((name) => [name, textsOf(NAMESPACES.processes, `gatehouse-${name}`)]),
  ) as Record<ClientName, Record<string, string>>
  const everyOf = (name: SecretName, read: (value: string | undefined) => string | undefined) =>
    Object.fromEntries(clientNames.map((client) => [`${name} of gatehouse-${client}`, read(held[client][name])]))

  const variableOf = (name: ClientName) => `NATS_PASSWORD_${name.toUpperCase()}`
  const ofNats = textsOf(NAMESPACES.stores, 'nats-passwords')
  const natsPasswords = Object.fromEntries(
    clientNames.map((name) => {
      const places = {
        [`NATS_URL of gatehouse-${name}`]: passwordIn(held[name].NATS_URL),
        [`${variableOf(name)} of nats-passwords`]: ofNats[variableOf(name)],
      }
      return [name, agreed(places, newPassword)]
    }),
  )
  const mongodbPasswords = Object.fromEntries(
    databaseUsers.map((name) => {
      const places = {
        [`MONGODB_URL of gatehouse-${name}`]: passwordIn(held[name].MONGODB_URL),
        [`password of mongodb-${name}`]: textsOf(NAMESPACES.stores, `mongodb-${name}`).password,
      }
      return [name, agreed(places, newPassword)]
    }),
  )
  const ofRedis = { 'password of redis': textsOf(NAMESPACES.stores, 'redis').password }
  const redisPassword = agreed({ ...everyOf('REDIS_URL', passwordIn), ...ofRedis }, newPassword)
  const key = agreed(
    everyOf('SECRETS_KEY', (value) => value),
    () => randomBytes(32).toString('base64'),
  )

  const credential = (client: ClientName, name: SecretName): string | undefined => {
    const { NATS_URL: nats, MONGODB_URL: mongodb, REDIS_URL: redis } = addresses
    if (name === 'NATS_URL') return `nats://${client}:${natsPasswords[client]}@${nats}`
    if (name === 'MONGODB_URL') return `mongodb://${client}:${mongodbPasswords[client]}@${mongodb}/${REPLICA_SET}`
    if (name === 'REDIS_URL') return `redis://:${redisPassword}@${redis}`
    if (name === 'SECRETS_KEY') return key
    return given[name] || undefined
  }
  const ofClients = clientNames.map((client) => {
    const values = secretsOf(client).flatMap((name) => {
      const value = credential(client, name)
      return value === undefined ? [] : [[name, value]]
    })
    return secret(NAMESPACES.processes, `gatehouse-${client}`, Object.fromEntries(values))
  })
  const ofStores = [
    secret(
      NAMESPACES.stores,
      'nats-passwords',
      Object.fromEntries(clientNames.map((name) => [variableOf(name), natsPasswords[name] ?? ''])),
    ),
    ...databaseUsers.map((name) =>
      secret(NAMESPACES.stores, `mongodb-${name}`, { password: mongodbPasswords[name] ?? '' }),
    ),
    secret(NAMESPACES.stores, 'redis', { password: redisPassword }),
  ]
  return [...ofClients, ...ofStores].flatMap((wanted) => {
    const stored = found(wanted.metadata.namespace, wanted.metadata.name)
    return stored ? added(stored, wanted) : [wanted]
  })
}

/** A stored Secret with the keys that it lacks; nothing if it lacks none. It has all its keys, so that `kubectl apply` takes none away. */
function added(stored: Manifest, { metadata, stringData }: Manifest): Manifest[] {
  const there = textsIn(stored)
  const lacking = Object.fromEntries(Object.entries<string>(stringData).filter(([key]) => !there[key]))
  if (Object.keys(lacking).length === 0) return []
  const whole = secret(metadata.namespace, metadata.name, { ...stored.stringData, ...lacking })
  return [{ ...whole, ...(stored.data && { data: stored.data }) }]
}

/** The Secrets in what `kubectl get secrets --output json` (or `yaml`) prints. */
export function secretsIn(text: string): Manifest[] {
  return manifestsIn(text).flatMap((each) => (each?.kind === 'List' ? (each.items as Manifest[]) : each ? [each] : []))
}

/** Prints what is missing. For `kubectl apply`: of what exists nothing is replaced, the key of what is sealed in the database least of all. */
async function main(): Promise<void> {
  const { Command, runCommand } = await import('@gatehouse/proto/process/command.ts')
  const collect = (file: string, files: string[]) => [...files, file]
  const command = new Command('node deploy/k8s/secrets.ts')
    .description('Prints the Secrets which a system on Kubernetes lacks, with new passwords.')
    .requiredOption(
      '--existing <file>',
      'what `kubectl get secrets --namespace … --output json` prints: of both namespaces, one file each',
      collect,
      [],
    )
    .action(async ({ existing }: { existing: string[] }) => {
      const texts = await Promise.all(existing.map((file) => readFile(file, 'utf8')))
      const missing = missingSecrets(texts.flatMap(secretsIn), process.env)
      process.stdout.write(missing.map((each) => stringify(each)).join('---\n'))
      if (missing.length === 0) process.stderr.write('No Secret is missing.\n')
    })
  await runCommand(command).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}

if (import.meta.main) await main()
