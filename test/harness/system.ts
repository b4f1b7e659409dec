import type { BadgesConfig } from '@gatehouse/badges/service'
import * as gateway from '@gatehouse/gateway/gateway'
import { reservePort } from '@gatehouse/local/ports'
import type { MailServiceConfig } from '@gatehouse/mail/service'
import type { PartnersConfig } from '@gatehouse/partners/service'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { withDefaults } from '@gatehouse/proto/process/config.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import type { SsoConfig } from '@gatehouse/sso/service'
import type { BusUser } from '../../services/bus-users.ts'
import { mainOf, type ServiceName, serviceNames, startService } from '../../services/services.ts'
import { openAccount, type TestAccount } from './account.ts'
import { type Api, apiOf } from './api.ts'
import { releaseNamespace, takeNamespace } from './namespaces.ts'
import { natsUrlOf, storeUrlsOf } from './nats-urls.ts'
import { startProcess } from './process.ts'
import { SECRETS_KEY } from './secrets-key.ts'

export type { TestAccount } from './account.ts'
export type { Answer } from './call.ts'
export { SECRETS_KEY } from './secrets-key.ts'

/** A whole system on real servers, in this process unless `processes` is set, in a namespace of its own: it shares nothing with other test files. */
export interface System extends TestAccount {
  /** `http://127.0.0.1:port` of the first gateway. */
  url: string
  /** All gateways. */
  urls: string[]
  /** A connection for the test. */
  bus: Bus
  namespace: string
  /** Sends a request of the first account. */
  api: Api
  /** Creates another account. */
  account(slug: string): Promise<TestAccount>
  /** Stops its sso service, for tests that run another one in its place. */
  stopSso(): Promise<void>
  stop(): Promise<void>
}

type OtherService = Exclude<ServiceName, 'sso' | 'guests' | 'checkin'>

interface SystemOptions {
  /** Services besides sso, guests and checkin, or all of them: each takes its time to start. */
  with?: OtherService[] | 'all'
  /** A NATS server in place of that of the whole run, by user; `test` is that of the test. */
  natsUrlOf?: (user: string) => string
  /** Default: one in which nothing is stored, which the users of another NATS server do not have. */
  namespace?: string
  gateways?: number
  checkins?: number
  /** 0 if the test runs its own. */
  guests?: 0
  /** Runs gateways and checkin services as separate processes, as in production. */
  processes?: boolean
  gateway?: Partial<gateway.GatewayConfig>
  sso?: Partial<SsoConfig>
  mail?: Partial<MailServiceConfig>
  badges?: Partial<BadgesConfig>
  partners?: Partial<PartnersConfig>
}

/** The services besides those. */
export const otherNames = serviceNames.filter((name) => name !== 'sso' && name !== 'guests' && name !== 'checkin')

/** Starts gateway and services. Several gateways or checkin services share the work, as replicas do. */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  // The port of the first gateway, which the sso service needs beforehand.
  const port = options.gateway?.port ?? (await reservePort())
  const namespace = options.namespace ?? (await takeNamespace())
  const common = {
    namespace,
    log_level: process.env.LOG_LEVEL ?? 'silent',
    // Longer than any answer takes on a busy machine: tests of deadlines set their own.
    deadline_ms: 60_000,
    secrets_key: SECRETS_KEY,
    public_url: `http://127.0.0.1:${port}`,
    // Webhooks go to receivers on this machine, and retries come at once.
    gatehouse_allow_private_hooks: true,
    hook_retry_delays: '0.1,0.1,0.1,0.1,0.1',
    erasure_second_pass_ms: 2_000,
    // Longer than any test waits, so that a slow answer of a receiver does not become a timeout.
    hook_timeout_ms: 60_000,
    // Tests over every action create very many.
    api_tokens_per_account: 10_000,
    devices_per_account: 10_000,
    staff_members_per_account: 10_000,
    webhooks_per_account: 10_000,
    test_sends_per_hour: 10_000,
    registrations_per_address: 100_000,
  }
  const ofUser = options.natsUrlOf ?? natsUrlOf
  /** The settings of a process, each of which has its own users of the stores. */
  const settingsOf = (name: BusUser) => ({ ...common, ...storeUrlsOf(name), nats_url: ofUser(name) })
  const [ssoService, ...otherServices] = await Promise.all([
    startService('sso', { ...settingsOf('sso'), rate_limits: 'off', ...options.sso }),
    ...repeat(options.guests, () => startService('guests', settingsOf('guests'))),
    ...(options.with === 'all' ? otherNames : (options.with ?? [])).map((name) =>
      startService(name, {
        ...settingsOf(name),
        ...(name === 'mail' && options.mail),
        ...(name === 'badges' && options.badges),
        ...(name === 'partners' && options.partners),
      }),
    ),
    ...repeat(options.checkins, () =>
      options.processes
        ? startProcess(mainOf('checkin'), settingsOf('checkin'))
        : startService('checkin', settingsOf('checkin')),
    ),
  ])
  const gatewayConfig = withDefaults(gateway.settings, {
    ...settingsOf('gateway'),
    port: 0,
    rate_limits: 'off',
    // This process runs the test too, and shares the machine with others: its delays say nothing.
    overload_refusals: 'off',
    ...options.gateway,
  })
  const gateways = await Promise.all(
    repeat(options.gateways, (index) => {
      const config = index === 0 ? { ...gatewayConfig, port } : gatewayConfig
      return options.processes ? startProcess(mainOf('gateway'), config) : gateway.start(config)
    }),
  )
  const bus = await connectBus({
    servers: ofUser('test'),
    namespace,
    name: 'test',
    log: makeLog('test', 'silent'),
    deadlineMs: 60_000,
  })
  const account = (slug: string): Promise<TestAccount> => openAccount(bus, slug)
  const first = await account('first')
  let ssoEnd: Promise<void> | undefined
  const stopSso = (): Promise<void> => (ssoEnd ??= ssoService.stop())
  const urls = gateways.map(({ url }) => url)
  const [url = ''] = urls

  return {
    ...first,
    url,
    urls,
    bus,
    namespace,
    account,
    stopSso,
    api: apiOf(url, first.auth_token),
    stop: async () => {
      await Promise.all(gateways.map((each) => each.stop()))
      await Promise.all([stopSso(), ...otherServices.map((service) => service.stop())])
      await bus.stop()
      if (!options.namespace) releaseNamespace(namespace)
    },
  }
}

function repeat<T>(count: number | undefined, make: (index: number) => T): T[] {
  return Array.from({ length: count ?? 1 }, (_, index) => make(index))
}
