import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { createServer, isIPv6 } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { execute } from '@gatehouse/local/execute'
import { ownFolder } from '@gatehouse/local/private-files'
import { programOf } from '@gatehouse/local/program'
import { type Stack, startStack } from '@gatehouse/local/stack'
import type { StoreName } from '@gatehouse/local/stack-options'
import { supervise } from '@gatehouse/local/supervise'
import { canRead, HERE, type User, userOf } from '@gatehouse/local/user'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { choice, integer, optionalInteger, optionalText, text } from '@gatehouse/proto/declaring/fields.ts'
import { type ConfigOf, MISUSED, readConfig } from '@gatehouse/proto/process/config.ts'
import { collectGarbage } from '@gatehouse/proto/process/garbage.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { newToken } from '@gatehouse/proto/storage/tokens.ts'
import { Command } from 'commander'
import { natsUsersOf } from '../services/bus-users.ts'
import { mainOf, serviceNames, services } from '../services/services.ts'
import { storeUsersOf } from '../services/store-users.ts'
import { untilInterrupted } from './interruption.ts'
import { permissions, staffMembers } from './permissions.ts'
import { dataFolder, type RunFile, runFile, SECRETS_KEY_FILE } from './system.ts'
import { type SystemProcess, systemProcesses } from './system-processes.ts'
import { isScreen, say, type Terminal } from './terminal.ts'

// An import of the module loads all of fetch, for which the start would wait.
const { get } = process.getBuiltinModule('node:http')

/** The settings that hold credentials. A process gets only those that it takes, and the local stack none. */
const CREDENTIALS = ['NATS_URL', ...serviceNames.flatMap((name) => services[name].credentials)]

/** The settings that `up` reads itself; the processes inherit all others. */
const settings = {
  mongodb_url: optionalText({ maxLength: 2000 }),
  nats_url: optionalText({ maxLength: 2000 }),
  redis_url: optionalText({ maxLength: 2000 }),
  secrets_key: optionalText(),
  smtp_url: optionalText({ maxLength: 2000 }),
  dkim_private_key: optionalText({ maxLength: 20_000 }),
  mail_events_postmark_login: optionalText(),
  mail_events_dsn_secret: optionalText(),
  namespace: text({ default: 'gatehouse', pattern: '^[a-z0-9_-]+$' }),
  host: text({ default: '127.0.0.1' }),
  port: integer({ default: 8080, minimum: 1, maximum: 65_535 }),
  log_level: text({ default: 'warn' }),
  processes: choice(['shared', 'separate'], { default: 'shared' }),
  operations_port: optionalInteger({ minimum: 0, maximum: 65_535 - serviceNames.length }),
}

const root = fileURLToPath(new URL('..', import.meta.url))
const POLL_MS = 50

/** `gatehouse up`: runs the whole system in the foreground, with a local stack for stores that are not given. */
export function upCommand(terminal: Terminal): Command {
  return new Command('up')
    .description('Run the whole system in the foreground, with a local server for each store whose address is not set')
    .action(() => up(terminal))
}

type Config = ConfigOf<typeof settings>

async function up(terminal: Terminal): Promise<void> {
  const config = readConfig(settings, terminal.env)
  // The processes of the local stack inherit this environment.
  for (const name of CREDENTIALS) delete terminal.env[name]
  await checkPort(config.host, config.port)
  const stopping: Stop[] = []
  let reason = ''
  const interrupted = untilInterrupted().then((why) => {
    reason = ` (${why})`
  })
  try {
    // Other users may pass through to their own folders in it, but not list it.
    await mkdir(dataFolder(terminal), { recursive: true, mode: 0o711 })
    const built = buildApps(terminal)
    const stores = await Promise.race([findStores(config, terminal, stopping), interrupted])
    // Processes that are still starting are tied to this one, and end with it.
    if (!stores) process.exit()
    const { natsUrl: servers } = stores
    const log = makeLog('up', 'silent')
    const bus = await connectBus({ servers, namespace: config.namespace, name: 'cli', log, permissions })
    stopping.unshift(() => bus.stop())
    const base_url = terminal.env.PUBLIC_URL || `http://127.0.0.1:${config.port}`
    // Another one at each start: who could read it then cannot now.
    const mail_secret = keepsMails(config, base_url) ? newToken() : undefined
    const system = await prepareSystem(terminal, config, stores, { base_url, mail_secret })
    await built
    const ready = startProcesses(terminal, config, system, bus, stopping)
    if ((await Promise.race([ready, interrupted.then(() => 'interrupted')])) === 'interrupted') return
    const run: RunFile = { nats_url: servers, namespace: config.namespace, base_url, mail_secret }
    await writeFile(runFile(terminal), `${JSON.stringify(run)}\n`, { mode: 0o600 })
    stopping.unshift(() => rm(runFile(terminal), { force: true }))
    await sayReady(terminal, bus, run)
    collectGarbage()
    await interrupted
  } finally {
    say(terminal.err, `stopping${reason}`)
    for (const stop of stopping) await stop()
  }
}

type Stop = () => Promise<unknown>

/** What the processes of gateway and services are started with. */
interface System {
  processes: SystemProcess[]
  /** The data folder, absolute. */
  data: string
  /** That folder as the processes name it. */
  ownData: string
  user: User | undefined
  env: NodeJS.ProcessEnv
  mail_secret: string | undefined
}

async function prepareSystem(
  terminal: Terminal,
  config: Config,
  stores: Stores,
  { base_url, mail_secret }: Pick<RunFile, 'base_url' | 'mail_secret'>,
): Promise<System> {
  const user = await findUser(terminal)
  const data = resolve(dataFolder(terminal))
  // Gateway and services are started in the data folder: under a name of its own they reach their folders in it, whoever may enter those above.
  const ownData = user ? HERE : data
  await ownFolder(join(data, 'compile-cache'), user)
  if (mail_secret) await ownFolder(join(data, 'mail'), user)
  const processes = systemProcesses({
    layout: config.processes,
    urlOf: { NATS_URL: stores.natsUrlOf, MONGODB_URL: stores.mongodbUrlOf, REDIS_URL: stores.redisUrlOf },
    credentials: {
      SECRETS_KEY: config.secrets_key ?? (await findSecretsKey(terminal)),
      SMTP_URL: config.smtp_url,
      DKIM_PRIVATE_KEY: config.dkim_private_key,
      MAIL_EVENTS_POSTMARK_LOGIN: config.mail_events_postmark_login,
      MAIL_EVENTS_DSN_SECRET: config.mail_events_dsn_secret,
    },
    operationsPort: config.operations_port,
  })
  const env = {
    ...terminal.env,
    HOST: config.host,
    PUBLIC_URL: base_url,
    LOG_LEVEL: config.log_level,
    NAMESPACE: config.namespace,
    MAIL_FOLDER: mail_secret ? join(ownData, 'mail') : '',
  }
  return { processes, data, ownData, user, env, mail_secret }
}

/** Starts gateway and services and keeps them running. Resolves once all serve. */
async function startProcesses(
  terminal: Terminal,
  { host, port }: Config,
  { processes, data, ownData, user, env, mail_secret }: System,
  bus: Bus,
  stopping: Stop[],
): Promise<void> {
  const stopServices: Stop[] = []
  stopping.unshift(() => Promise.all(stopServices.map((stop) => stop())))
  const start = ({ name, main, services, env: own }: SystemProcess): Promise<void> => {
    const isGateway = services.length === 0
    const program = programOf(join(root, main), join(ownData, 'compile-cache'))
    const answers = isGateway
      ? () => readiness(reachable(host, port))
      : () => Promise.all(services.map((service) => bus.call(`${service}.health`, { budget: 1_000 })))
    const running = supervise({
      name,
      ...program,
      cwd: data,
      env: { ...env, ...program.env, ...own, ...(isGateway && mail_secret && { MAIL_FOLDER_SECRET: mail_secret }) },
      user: user && { ...user, lowPorts: isGateway && port < 1024 },
      ready: (signal) => until(answers, signal),
      hopelessCode: MISUSED,
      onLine: (line) => say(terminal.out, line),
      log: (line) => say(terminal.err, line),
    })
    // The gateway ends first, and then the mail service: the services answer their requests, and then end together.
    if (isGateway || services.includes('mail')) stopping.unshift(() => running.stop())
    else stopServices.push(() => running.stop())
    return running.ready
  }
  await Promise.all(processes.toReversed().map(start))
}

/** Says where to find what, and how to become the first owner. */
async function sayReady(terminal: Terminal, bus: Bus, { base_url, mail_secret }: RunFile): Promise<void> {
  const tell = (line: string): void => say(terminal.err, line)
  tell(`Gatehouse is ready at ${base_url}, API reference at ${base_url}/docs. Press Ctrl-C to stop`)
  tell(`Console for organizers: ${base_url}/console/`)
  tell(
    `Scanner for stewards: ${base_url}/scanner/. To try it with a camera, run ${commandLine(terminal)} demo --scanner in a second terminal`,
  )
  await sayFirstOwner(bus, terminal)
  if (!mail_secret) return
  const url = `${base_url}/dev/mail?secret=${mail_secret}`
  tell(`E-mails are not sent. To see them, open this link, valid until Gatehouse stops: ${url}`)
}

/** Says how to become the first owner while there is none. The rest works without. */
async function sayFirstOwner(bus: Bus, terminal: Terminal): Promise<void> {
  try {
    const line = await firstOwnerLine(bus, terminal)
    if (line) say(terminal.err, line)
  } catch (error) {
    say(
      terminal.err,
      `No link for the first owner: ${(error as Error).message}. Ask for one with ${commandLine(terminal)} bootstrap`,
    )
  }
}

/**
 * How to become the first owner while there is none: on a terminal by a link, where the account is clear; otherwise by the command that prints
 * one, since what is not shown on a terminal is kept in a log.
 */
export async function firstOwnerLine(bus: Bus, terminal: Terminal): Promise<string | undefined> {
  const client = clientOf(bus, staffMembers)
  const { is_missing, account } = await client.first_owner({})
  if (!is_missing) return undefined
  const nobody = 'Nobody can sign in to the console yet.'
  if (!isScreen(terminal.err) || account === null)
    return `${nobody} This prints a link for its first owner: ${commandLine(terminal)} bootstrap --account ${account ?? 'SLUG'}`
  const { sign_in_url } = await client.first_link({ body: { account } })
  return sign_in_url ? `${nobody} Become its first owner, within a day: ${sign_in_url}` : undefined
}

/** Builds the apps for people, unless that is done: a new checkout has none, the npm package has them built. The rest works without them. */
async function buildApps({ err }: Terminal): Promise<void> {
  const builder = join(root, 'apps/main.ts')
  if (!existsSync(builder)) return
  await execute(process.execPath, [builder]).catch(({ message }: Error) =>
    say(err, `The web apps cannot be built, so an earlier build is served, or none: ${message}`),
  )
}

/** How to call the command line in another terminal, with the data folder of this system. */
function commandLine({ env: { GATEHOUSE_DATA } }: Terminal): string {
  return GATEHOUSE_DATA ? `GATEHOUSE_DATA='${resolve(GATEHOUSE_DATA)}' npx gatehouse` : 'npx gatehouse'
}

async function until(answers: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await answers()
      return
    } catch {
      await sleep(POLL_MS)
    }
  }
}

/** The URL by which this machine reaches a server on `host`: by loopback if that is any address. */
export function reachable(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::'
  const name = isIPv6(host) ? `[${host}]` : host
  return `http://${isAny ? '127.0.0.1' : name}:${port}`
}

async function readiness(url: string): Promise<void> {
  const [answer] = (await once(get(`${url}/readyz`), 'response')) as [IncomingMessage]
  answer.resume()
  if (answer.statusCode !== 200) throw new Error(`/readyz returned ${answer.statusCode}`)
}

/** What gateway and services connect to. */
type Stores = Pick<Stack, 'natsUrl' | 'natsUrlOf' | 'mongodbUrlOf' | 'redisUrlOf'>

/** Returns the stores of the settings, or those of a local stack for settings that are not set. */
async function findStores(
  { mongodb_url, nats_url, redis_url, namespace }: Config,
  terminal: Terminal,
  stopping: Stop[],
): Promise<Stores> {
  const always = (url: string) => () => url
  if (mongodb_url && nats_url && redis_url)
    return {
      natsUrl: nats_url,
      natsUrlOf: always(nats_url),
      mongodbUrlOf: always(mongodb_url),
      redisUrlOf: always(redis_url),
    }
  const given = { nats: nats_url, redis: redis_url, mongodb: mongodb_url }
  const servers = (Object.keys(given) as StoreName[]).filter((server) => !given[server])
  const stack = await startStack({
    dataDir: resolve(dataFolder(terminal)),
    servers,
    natsUsers: natsUsersOf(namespace),
    storeUsers: storeUsersOf(namespace),
    log: (line) => say(terminal.err, line),
  })
  stopping.unshift(() => stack.stop())
  return {
    natsUrl: nats_url ?? stack.natsUrl,
    natsUrlOf: nats_url ? always(nats_url) : stack.natsUrlOf,
    mongodbUrlOf: mongodb_url ? always(mongodb_url) : stack.mongodbUrlOf,
    redisUrlOf: redis_url ? always(redis_url) : stack.redisUrlOf,
  }
}

/** The user of gateway and services: if this process is root, one without any rights, unless it cannot read the program. */
async function findUser({ err }: Terminal): Promise<User | undefined> {
  const user = userOf('services')
  if (!user) return undefined
  const own = ['gateway', ...serviceNames].map((name) => join(root, mainOf(name)))
  const files = [process.execPath, ...own, fileURLToPath(import.meta.resolve('commander'))]
  if (await canRead(user, files)) return user
  say(err, `Gateway and services run as root, because no other user can read ${root}`)
  return undefined
}

/** Throws before a minute of preparations if the port cannot be used. */
async function checkPort(host: string, port: number): Promise<void> {
  const probe = createServer()
  probe.listen(port, host)
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'EADDRINUSE'
        ? `Port ${port} is taken. Set PORT to a free one, like: PORT=${port + 1} npx gatehouse up`
        : `Port ${port} cannot be used: ${error.message}`,
    )
  })
  probe.close()
  await once(probe, 'close')
}

/** The key in the data folder, created once: secrets encrypted under it cannot be read without it. */
async function findSecretsKey(terminal: Terminal): Promise<string> {
  const file = join(dataFolder(terminal), SECRETS_KEY_FILE)
  await writeFile(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return (await readFile(file, 'utf8')).trim()
}

/**
 * Whether e-mails are kept, and shown, instead of being sent: where no mail server is set. Not where others reach the gateway: its e-mails sign
 * people in, and those of an installation whose `SMTP_URL` was forgotten had better wait.
 */
function keepsMails({ smtp_url, host }: { smtp_url: string | null; host: string }, base_url: string): boolean {
  return !smtp_url && isOfDeveloper(host, base_url)
}

/** Whether a gateway that listens on `host`, and is known by a URL, is there for this machine alone. */
export function isOfDeveloper(host: string, base_url: string): boolean {
  const isLoopback = (name: string) => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(name)
  return isLoopback(host) && isLoopback(URL.parse(base_url)?.hostname ?? '')
}
