import type { Manifest } from './manifest.ts'
import { storeIngressOf, storeNames, stores } from './network.ts'
import { processNames, secretsOf } from './processes.ts'

/** The processes with a database, each with a user of its own there. */
export const databaseUsers = processNames.filter((name) => secretsOf(name).includes('MONGODB_URL'))

const ofMongodb = { matchLabels: stores.mongodb.labels }

/** One member may leave at a time, and none while another is not ready: the majority stays. */
export function mongodbBudget(): Manifest {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'mongodb' },
    spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'IfHealthyBudget', selector: ofMongodb },
  }
}

/** The replica set, for MongoDB's operator. Each process may use its own database alone; no two members share a node. */
export function mongodb(): Manifest {
  const spread = (topologyKey: string, whenUnsatisfiable: string) => {
    return { maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector: ofMongodb }
  }
  const topologySpreadConstraints = [
    spread('topology.kubernetes.io/zone', 'ScheduleAnyway'),
    spread('kubernetes.io/hostname', 'DoNotSchedule'),
  ]
  const resources = { requests: { cpu: '500m', memory: '4Gi' }, limits: { memory: '4Gi' } }
  return {
    apiVersion: 'mongodbcommunity.mongodb.com/v1',
    kind: 'MongoDBCommunity',
    metadata: { name: 'mongodb' },
    spec: {
      type: 'ReplicaSet',
      members: 3,
      version: '8.0.15',
      security: { authentication: { modes: ['SCRAM'] } },
      users: databaseUsers.map((name) => ({
        name,
        db: 'admin',
        passwordSecretRef: { name: `mongodb-${name}` },
        scramCredentialsSecretName: `mongodb-${name}`,
        // Who changes how long documents are kept (`collMod`) has to be `dbAdmin`.
        roles: ['readWrite', 'dbAdmin'].map((role) => ({ name: role, db: `gatehouse_${name}` })),
      })),
      statefulSet: {
        spec: {
          template: { spec: { topologySpreadConstraints, containers: [{ name: 'mongod', resources }] } },
          volumeClaimTemplates: [
            { metadata: { name: 'data-volume' }, spec: { resources: { requests: { storage: '100Gi' } } } },
          ],
        },
      },
    },
  }
}

/** Who may speak to the stores. What they may speak to themselves is up to their charts. */
export function storePolicies(): Manifest[] {
  return storeNames.map((name) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec: {
      podSelector: { matchLabels: stores[name].labels },
      policyTypes: ['Ingress'],
      ingress: storeIngressOf(name),
    },
  }))
}
