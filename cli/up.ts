import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { programOf } from '@gatehouse/local/program'
import { startStack } from '@gatehouse/local/stack'
import { supervise } from '@gatehouse/local/supervise'
import { connectBus } from '@gatehouse/proto/bus.ts'
import { readConfig } from '@gatehouse/proto/config.ts'
import { integer, optionalText, text } from '@gatehouse/proto/fields.ts'
import { makeLog } from '@gatehouse/proto/log.ts'
import { Command } from 'commander'
import { dataFolder, type RunFile, runFile } from './system.ts'

/** The services of a system; a new one is a word here. */
export const services = ['sso', 'guests', 'checkin', 'promo', 'partners', 'leads', 'badges', 'hooks']

/** The settings that `up` reads itself; the others go on to the processes as they are. */
const settings = {
  mongodb_url: optionalText({ maxLength: 2000 }),
  nats_url: optionalText({ maxLength: 2000 }),
  redis_url: optionalText({ maxLength: 2000 }),
  namespace: text({ default: 'gatehouse' }),
  host: text({ default: '0.0.0.0' }),
  port: integer({ default: 8080, minimum: 1, maximum: 65_535 }),
  log_level: text({ default: 'warn' }),
}

const root = fileURLToPath(new URL('..', import.meta.url))
const POLL_MS = 50

/** `gatehouse up`: the whole system in the foreground, stores included where none are given. */
export function upCommand(): Command {
  return new Command('up')
    .description('Run the whole system in the foreground, with a local stack where no store addresses are set')
    .action(up)
}

async function up(): Promise<void> {
  const config = readConfig(settings)
  await checkPort(config.host, config.port)
  const stopping: (() => Promise<unknown>)[] = []
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  try {
    const stores = await findStores(config, stopping)
    const base_url = process.env.PUBLIC_URL || `http://127.0.0.1:${config.port}`
    const env = {
      ...process.env,
      ...stores,
      SECRETS_KEY: await findSecretsKey(),
      PUBLIC_URL: base_url,
      LOG_LEVEL: config.log_level,
      NAMESPACE: config.namespace,
    }
    const bus = await connectBus({
      servers: stores.NATS_URL,
      namespace: config.namespace,
      name: 'up',
      log: makeLog('up', 'silent'),
    })
    stopping.unshift(() => bus.stop())

    const keep = (name: string, main: string, answers: () => Promise<unknown>): Promise<void> => {
      const program = programOf(main, join(resolve(dataFolder()), 'compile-cache'))
      const running = supervise({
        name,
        ...program,
        cwd: root,
        env: { ...program.env, ...env },
        ready: (signal) => until(answers, signal),
        onLine: (line) => process.stdout.write(`${line}\n`),
        log: say,
      })
      stopping.unshift(() => running.stop())
      return running.ready
    }
    const ready = Promise.all([
      ...services.map((name) =>
        keep(name, `services/${name}/main.ts`, () => bus.call(`${name}.health`, { budget: 1_000 })),
      ),
      keep('gateway', 'gateway/main.ts', () => readiness(config.port)),
    ])
    if ((await Promise.race([ready, interrupted.then(() => 'interrupted')])) === 'interrupted') return
    await writeRunFile({ nats_url: stores.NATS_URL, namespace: config.namespace, base_url })
    stopping.unshift(() => rm(runFile(), { force: true }))
    say(`Gatehouse is ready at ${base_url}, its interface is described at ${base_url}/docs. Ctrl-C ends it`)
    await interrupted
  } finally {
    say('stopping')
    for (const stop of stopping) await stop()
  }
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

async function readiness(port: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  if (!answer.ok) throw new Error(`/readyz answers ${answer.status}`)
}

/** The stores of the environment, or a local stack for those that are not set. */
async function findStores(
  {
    mongodb_url,
    nats_url,
    redis_url,
  }: { mongodb_url: string | null; nats_url: string | null; redis_url: string | null },
  stopping: (() => Promise<unknown>)[],
): Promise<{ MONGODB_URL: string; NATS_URL: string; REDIS_URL: string }> {
  if (mongodb_url && nats_url && redis_url)
    return { MONGODB_URL: mongodb_url, NATS_URL: nats_url, REDIS_URL: redis_url }
  const stack = await startStack({ dataDir: resolve(dataFolder()), log: say })
  stopping.unshift(() => stack.stop())
  return {
    MONGODB_URL: mongodb_url ?? stack.mongodbUrl,
    NATS_URL: nats_url ?? stack.natsUrl,
    REDIS_URL: redis_url ?? stack.redisUrl,
  }
}

/** Better now than after a minute of preparations. */
async function checkPort(host: string, port: number): Promise<void> {
  const probe = createServer()
  probe.listen(port, host)
  await once(probe, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'EADDRINUSE'
        ? `Port ${port} is taken. Set PORT to a free one, like: PORT=${port + 1} npm start`
        : `Port ${port} can not be used: ${error.message}`,
    )
  })
  probe.close()
  await once(probe, 'close')
}

/** `SECRETS_KEY`, or one that is made once and kept with the data: what is sealed under it can not be read without. */
async function findSecretsKey(): Promise<string> {
  if (process.env.SECRETS_KEY) return process.env.SECRETS_KEY
  const file = join(dataFolder(), 'secrets.key')
  await mkdir(dataFolder(), { recursive: true })
  await writeFile(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return (await readFile(file, 'utf8')).trim()
}

async function writeRunFile(content: RunFile): Promise<void> {
  await mkdir(dataFolder(), { recursive: true })
  await writeFile(runFile(), `${JSON.stringify(content)}\n`, { mode: 0o600 })
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
