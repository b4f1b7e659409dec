import { expect, vi } from 'vitest'
import { mainOf, serviceNames } from '../../services/services.ts'
import { type Api, apiOf } from './api.ts'
import { succeeded } from './call.ts'
import { runGatehouseProcess } from './command-line.ts'
import { startProcess } from './process.ts'
import { retried } from './retried.ts'
import { SECRETS_KEY } from './secrets-key.ts'
import type { TlsStores } from './tls-stores.ts'

/** All services and a gateway, on stores with TLS. They trust the authority by NODE_EXTRA_CA_CERTS, which a process reads when it starts. */
export interface TlsSystem {
  api: Api
  auth_token: string
  /** The path of an event. */
  event: string
  /** Creates a guest who may come in so often; -1: without limit. */
  guest(uid: string, max_allowed_accesses: number): Promise<void>
  /** Scans a guest, as devices do until there is an answer; returns the access status. */
  scan(guest_uid: string): Promise<number>
  stop(): Promise<void>
}

/** Starts two processes, each service with its own user of NATS, and creates an account and an event. */
export async function startTlsSystem({ namespace, certificate, nats, settings }: TlsStores): Promise<TlsSystem> {
  const common = { ...settings, namespace, node_extra_ca_certs: certificate.ca }
  const urls = serviceNames.map((name) => [`nats_url_${name}`, nats.urlFor(name)])
  const [services, gateway] = await Promise.all([
    startProcess('services/main.ts', {
      ...common,
      ...Object.fromEntries(urls),
      public_url: 'http://localhost',
      secrets_key: SECRETS_KEY,
    }),
    startProcess(mainOf('gateway'), { ...common, nats_url: nats.urlFor('gateway'), host: '127.0.0.1', port: 0 }),
  ])
  const stop = async (): Promise<void> => void (await Promise.all([services.stop(), gateway.stop()]))
  try {
    // Each service says for itself that it is ready.
    await vi.waitFor(async () => expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200), { timeout: 120_000 })
    const env = { NATS_URL: nats.urlFor('cli'), NAMESPACE: namespace, NODE_EXTRA_CA_CERTS: certificate.ca }
    const { out } = await runGatehouseProcess(['bootstrap', '--account', 'tls', '--json'], env)
    const { auth_token, account_id } = JSON.parse(out) as { auth_token: string; account_id: string }
    const api = apiOf(gateway.url, auth_token)
    const make = async (path: string, body: object): Promise<string> => {
      const made = await succeeded(retried(() => api('POST', path, body)))
      return made._id ?? made.id
    }
    const event = `events/${await make('events.json', { title: 'Fair', account_id })}`
    const accesspoint_id = await make(`${event}/accesspoints.json`, { name: 'Door' })
    return {
      ...{ api, auth_token, event, stop },
      guest: async (uid, max_allowed_accesses) => {
        const guest_category_accesspoints = [{ accesspoint_id, max_allowed_accesses }]
        const guest_category_id = await make(`${event}/guest_categories.json`, {
          name: uid,
          guest_category_accesspoints,
        })
        await make(`${event}/guests.json`, { guest_category_id, uid })
      },
      scan: async (guest_uid) => {
        const body = { accesspoint_id, guest_uid }
        const { access_status } = await succeeded(retried(() => api('POST', `${event}/access_controls.json`, body)))
        return access_status
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
