import { randomBytes } from 'node:crypto'
import { stringify } from 'yaml'
import type { Manifest } from './manifest.ts'
import { NAMESPACES, stores } from './network.ts'
import { processNames, type SecretName, secretsOf } from './processes.ts'
import { databaseUsers } from './stores.ts'

const newPassword = () => randomBytes(32).toString('hex')
const hostOf = (service: string) => `${service}.${NAMESPACES.stores}.svc.cluster.local`

function secret(namespace: string, name: string, stringData: Record<string, string>): Manifest {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, stringData }
}

/**
 * The Secrets of a new system, with new passwords: one for each process with its credentials, and those by which the stores know them. What is
 * not ours to make (SMTP_URL and the like) comes from `given`; what is not there is left out.
 */
export async function newSecrets(given: NodeJS.ProcessEnv): Promise<Manifest[]> {
  const clients = [...processNames, 'cli'] as const
  const natsPasswords = Object.fromEntries(clients.map((name) => [name, newPassword()]))
  const mongodbPasswords = Object.fromEntries(databaseUsers.map((name) => [name, newPassword()]))
  const redisPassword = newPassword()
  const key = randomBytes(32).toString('base64')

  const credential = (process: string, name: SecretName): string | undefined => {
    if (name === 'NATS_URL') return `nats://${process}:${natsPasswords[process]}@${hostOf('nats')}:${stores.nats.port}`
    if (name === 'MONGODB_URL')
      return `mongodb://${process}:${mongodbPasswords[process]}@${hostOf('mongodb-svc')}:${stores.mongodb.port}/?replicaSet=mongodb&authSource=admin`
    if (name === 'REDIS_URL') return `redis://:${redisPassword}@${hostOf('redis')}:${stores.redis.port}`
    if (name === 'SECRETS_KEY') return key
    return given[name] || undefined
  }
  const ofProcesses = clients.map((process) => {
    const names: SecretName[] = process === 'cli' ? ['NATS_URL'] : secretsOf(process)
    const values = names.flatMap((name) => {
      const value = credential(process, name)
      return value === undefined ? [] : [[name, value]]
    })
    return secret(NAMESPACES.processes, `gatehouse-${process}`, Object.fromEntries(values))
  })
  const ofStores = [
    secret(
      NAMESPACES.stores,
      'nats-passwords',
      Object.fromEntries(clients.map((name) => [`NATS_PASSWORD_${name.toUpperCase()}`, natsPasswords[name] ?? ''])),
    ),
    ...databaseUsers.map((name) =>
      secret(NAMESPACES.stores, `mongodb-${name}`, { password: mongodbPasswords[name] ?? '' }),
    ),
    secret(NAMESPACES.stores, 'redis', { password: redisPassword }),
  ]
  return [...ofProcesses, ...ofStores]
}

// `kubectl create` takes it: it never replaces a Secret, and with it the key of what is sealed in the database.
if (import.meta.main) process.stdout.write((await newSecrets(process.env)).map((each) => stringify(each)).join('---\n'))
