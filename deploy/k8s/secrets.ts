import { randomBytes } from 'node:crypto'
import { stringify } from 'yaml'
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

function secret(namespace: string, name: string, stringData: Record<string, string>): Manifest {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData }
}

/**
 * The Secrets of a new system, with new passwords: one for each process with its credentials, and those by which the stores know them. What is
 * not ours to make (SMTP_URL and the like) comes from `given`; what is not there is left out.
 */
export async function newSecrets(given: NodeJS.ProcessEnv): Promise<Manifest[]> {
  const natsPasswords = Object.fromEntries(clientNames.map((name) => [name, newPassword()]))
  const mongodbPasswords = Object.fromEntries(databaseUsers.map((name) => [name, newPassword()]))
  const redisPassword = newPassword()
  const key = randomBytes(32).toString('base64')

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
      Object.fromEntries(clientNames.map((name) => [`NATS_PASSWORD_${name.toUpperCase()}`, natsPasswords[name] ?? ''])),
    ),
    ...databaseUsers.map((name) =>
      secret(NAMESPACES.stores, `mongodb-${name}`, { password: mongodbPasswords[name] ?? '' }),
    ),
    secret(NAMESPACES.stores, 'redis', { password: redisPassword }),
  ]
  return [...ofClients, ...ofStores]
}

// `kubectl create` takes it: it never replaces a Secret, and with it the key of what is sealed in the database.
if (import.meta.main) process.stdout.write((await newSecrets(process.env)).map((each) => stringify(each)).join('---\n'))
