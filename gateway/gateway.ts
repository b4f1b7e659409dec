import { choice, integer, optionalText, text } from '@gatehouse/proto/declaring/fields.ts'
import { compileReaders } from '@gatehouse/proto/formats/json-reader.ts'
import type { ConfigOf } from '@gatehouse/proto/process/config.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { mailFolderSettings } from '@gatehouse/proto/process/mail-folder.ts'
import { publicUrlSettings } from '@gatehouse/proto/process/public-url.ts'
import { busSettings, connectProcess } from '@gatehouse/proto/serving/bus-settings.ts'
import type { Running } from '@gatehouse/proto/serving/run.ts'
import { serviceNames } from '../services/services.ts'
import { type AppOptions, buildApp } from './app.ts'
import { healthOf } from './http/health.ts'
import { trustedProxies } from './http/proxies.ts'
import { answeringMeanwhile } from './http/waiting.ts'
import { permissions } from './permissions.ts'
import { resources } from './resources.ts'

export { resources }

/** The gateway's settings, each an environment variable of the same name in capitals. */
export const settings = {
  ...busSettings,
  host: text({ default: '127.0.0.1', description: 'Where it listens; 0.0.0.0: at all addresses' }),
  port: integer({ default: 8080, minimum: 0, maximum: 65_535 }),
  ...publicUrlSettings,
  cells: optionalText({
    maxLength: 2_000,
    pattern: '^[a-z0-9_-]+(,[a-z0-9_-]+)*$',
    description: 'NAMESPACEs of the other cells, whose accounts it answers for too, separated by commas',
  }),
  trust_proxy: text({
    default: 'false',
    maxLength: 2_000,
    description: 'Number of proxies in front, or their networks: only their X-Forwarded-For counts',
  }),
  rate_limits: choice(['on', 'off'], { default: 'on' }),
  rate_limit_per_token: integer({ default: 60_000, minimum: 1, description: 'Requests a minute of one token' }),
  rate_limit_per_account: integer({ default: 240_000, minimum: 1, description: 'Of all tokens of one account' }),
  rate_limit_per_stranger: integer({ default: 600, minimum: 1, description: 'Invalid tokens a minute of one address' }),
  rate_limit_bytes_per_token: integer({
    default: 67_108_864,
    minimum: 1_048_576,
    description: 'Bytes a minute of parsed bodies of one token',
  }),
  rate_limit_bytes_per_account: integer({
    default: 268_435_456,
    minimum: 1_048_576,
    description: 'Of all tokens of one account',
  }),
  overload_refusals: choice(['on', 'off'], { default: 'on' }),
  live_feeds: integer({ default: 2_000, minimum: 1, description: 'Live feeds at once' }),
  live_feeds_per_account: integer({
    default: 500,
    minimum: 1,
    description: 'Live feeds at once of all tokens of one account',
  }),
  live_feeds_per_token: integer({
    default: 20,
    minimum: 1,
    description: 'Live feeds at once of one token',
  }),
  max_connections: integer({ default: 10_000, minimum: 1 }),
  max_connections_per_address: integer({ default: 1_000, minimum: 1, description: 'Without a proxy in front' }),
  request_timeout_ms: integer({
    default: 30_000,
    minimum: 1_000,
    maximum: 600_000,
    description: 'Within it a client must have sent its whole request: longer for slow uplinks, shorter for strangers',
  }),
  hsts_max_age: integer({ default: 0, minimum: 0, description: 'Seconds; 0: no Strict-Transport-Security' }),
  ...mailFolderSettings,
  mail_folder_secret: optionalText({
    pattern: '^[\\w-]{32,200}$',
    description: 'For development: what a browser must know to see the e-mails of MAIL_FOLDER at /dev/mail',
  }),
}

/** How often idle connections are closed at the end. */
const CLOSE_EVERY_MS = 100

/** The settings as read. */
export type GatewayConfig = ConfigOf<typeof settings>

/** What the HTTP interface needs of the settings. */
export function appOptionsOf(config: GatewayConfig): Omit<AppOptions, 'bus' | 'log' | 'resources' | 'health'> {
  const trustProxy = trustedProxies(config.trust_proxy)
  return {
    trustProxy,
    publicUrl: config.public_url,
    feedLimits: {
      total: config.live_feeds,
      perAccount: config.live_feeds_per_account,
      perToken: config.live_feeds_per_token,
    },
    limits: {
      off: config.rate_limits === 'off',
      perToken: config.rate_limit_per_token,
      perAccount: config.rate_limit_per_account,
      perStranger: config.rate_limit_per_stranger,
      bytesPerToken: config.rate_limit_bytes_per_token,
      bytesPerAccount: config.rate_limit_bytes_per_account,
    },
    refusesOverload: config.overload_refusals === 'on',
    connectionLimits: {
      total: config.max_connections,
      perAddress: trustProxy ? Number.POSITIVE_INFINITY : config.max_connections_per_address,
    },
    requestTimeoutMs: config.request_timeout_ms,
    hstsMaxAge: config.hsts_max_age,
    devMail:
      config.mail_folder !== null && config.mail_folder_secret !== null
        ? { folder: config.mail_folder, secret: config.mail_folder_secret }
        : undefined,
  }
}

/** Starts the gateway, which listens at `url`. */
export async function start(config: GatewayConfig): Promise<Running & { url: string }> {
  const log = makeLog('gateway', config.log_level)
  const options = appOptionsOf(config)
  const { host, port } = config
  const cells = config.cells?.split(',') ?? []
  const bus = await answeringMeanwhile({ host, port }, log, connectProcess('gateway', permissions, config, log, cells))
  const app = await buildApp({ bus, log, resources, health: healthOf(bus, serviceNames), ...options })
  compileReaders()
  const url = await app.listen({ host, port })
  log.info({ url }, 'ready')
  return {
    url,
    check: async () => bus.check(),
    stop: async () => {
      // One that was busy when the server closed is idle later, and would stay until its keep-alive ends.
      const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_EVERY_MS)
      await app.close().finally(() => clearInterval(idle))
      await bus.stop()
    },
  }
}
