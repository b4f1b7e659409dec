import assert from 'node:assert/strict'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute } from '@gatehouse/local/execute'
import { startStack } from '@gatehouse/local/stack'
import { Command, numberFrom, runCommand } from '@gatehouse/proto/process/command.ts'
import { interruptible } from '@gatehouse/proto/process/interruption.ts'
import { startMailServer } from '@gatehouse/test/harness/mail-server.ts'
import { SECRETS_KEY } from '@gatehouse/test/harness/secrets-key.ts'
import { inPhase, type Phase } from '@gatehouse/test/load/phases.ts'
import { connect } from '../../../../clients/typescript/client.ts'
import manifest from '../../../../package.json' with { type: 'json' }
import { natsUsersOf } from '../../../../services/bus-users.ts'
import { storeUsersOf } from '../../../../services/store-users.ts'
import { build, type Manifest } from '../../manifests.ts'
import { credentials } from '../../secrets.ts'
import { basesFor } from './bases.ts'
import { checkCompose } from './compose.ts'
import { checkConfinement } from './confinement.ts'
import { checkContents, checkImports } from './contents.ts'
import { Engine, lacking } from './engine.ts'
import { checkCount, checkDoor, checkMail, openEvent, until } from './event.ts'
import { forward } from './forward.ts'
import { containerOf, IMAGE, podOf, yamlOf } from './pods.ts'
import { Report } from './report.ts'
import { DoorLoad } from './stopping.ts'

/* `npm run check:images`: builds the image, and runs every process of the development overlay in it. */

const context = join(import.meta.dirname, '../../../..')
/** The name in the overlay's settings, by default. */
const NAMESPACE = 'gatehouse'
/** Of these there are two, so that one can end. */
const TWICE = ['gateway', 'guests', 'checkin']
const OPERATIONS = 9464
const HTTP = 8080

const report = new Report(console.log)
const say = (line: string): void => report.step(line)

/** What is undone at the end, the last first. */
const undone: (() => unknown)[] = []

/** Builds the image. */
async function buildImage(engine: Engine, { signal, waitFor }: Phase): Promise<void> {
  waitFor('the base images')
  const bases = await basesFor(context, engine, say)
  waitFor('the image')
  const revision = (await execute('git', ['rev-parse', 'HEAD'], { cwd: context })).trim()
  const given = Object.entries({ ...bases, REVISION: revision }).flatMap(([name, value]) => [
    '--build-arg',
    `${name}=${value}`,
  ])
  const cache = (await execute('npm', ['config', 'get', 'cache'])).trim()
  const args = ['bud', '--isolation', 'chroot', '--layers=false', '--volume', `${cache}:/root/.npm`, ...given]
  const lines: string[] = []
  await engine
    .buildah(
      [...args, '--tag', IMAGE, context],
      (line) => {
        lines.push(line)
        if (/\] (STEP|COMMIT)/.test(line)) say(line.slice(0, 120))
      },
      signal,
    )
    .catch((error) => {
      throw new Error(`${error.message}:\n${lines.slice(-15).join('\n')}`)
    })
}

/** Takes the image of an archive of `podman save` or `docker save`. */
async function loadImage(engine: Engine, archive: string): Promise<void> {
  const loaded = await engine.podman('load', '--quiet', '--input', archive)
  await engine.podman('tag', loaded.trim().split(' ').at(-1) ?? '', IMAGE)
}

/** Starts the stores, and the processes in containers. Returns the addresses of all pods, by name. */
async function startPods(engine: Engine, address: string, smtpUrl: string, { signal, waitFor }: Phase) {
  waitFor('the stores')
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-images-'))
  const natsUsers = natsUsersOf(NAMESPACE)
  const stack = await startStack({ dataDir, throwAway: true, natsUsers, storeUsers: storeUsersOf(NAMESPACE) })
  undone.push(() => stack.stop())
  for (const url of [stack.natsUrl, stack.mongodbUrl, stack.redisUrl, smtpUrl]) {
    const { stop } = await forward(address, Number(new URL(url).port))
    undone.push(stop)
  }
  const reached = (url: string): string => url.replace('127.0.0.1', address)
  const values: Record<string, (client: string) => string> = {
    NATS_URL: (client) => reached(stack.natsUrlOf(client)),
    MONGODB_URL: (client) => reached(stack.mongodbUrlOf(client)),
    REDIS_URL: (client) => reached(stack.redisUrlOf(client)),
    SMTP_URL: () => reached(smtpUrl),
    SECRETS_KEY: () => SECRETS_KEY,
  }
  const objects = await build(join(context, 'deploy/k8s/overlays/development'))
  const deployments = new Map<string, Manifest>()
  for (const each of objects.filter(({ kind }) => kind === 'Deployment')) {
    deployments.set(each.metadata.name, each)
    if (TWICE.includes(each.metadata.name)) deployments.set(`${each.metadata.name}-2`, each)
  }
  waitFor('podman kube play')
  const secretOf = (secret: string, key: string): string | undefined => {
    const client = secret.replace('gatehouse-', '')
    return credentials[client]?.includes(key) ? values[key]?.(client) : undefined
  }
  const pods = [...deployments].map(([name, deployment]) => podOf(deployment, name, secretOf))
  // Who has SMTP_URL needs a sender.
  const settings = objects.filter(({ kind }) => kind === 'ConfigMap')
  for (const { data } of settings) data.MAIL_FROM = 'Gatehouse <noreply@gatehouse.example>'
  await engine.play(yamlOf([...settings, ...pods]))
  const addresses: Record<string, string> = {}
  for (const [name, deployment] of deployments) {
    const container = containerOf(name)
    const { address, pid } = await engine.running(name, container)
    addresses[name] = address
    waitFor(`${name} to be ready`)
    await report.check(
      `${name} is ready, as nobody, without rights, on a read-only disk, within its limit`,
      async () => {
        if (name !== 'cli')
          await until(signal, async () => {
            const answer = await fetch(`http://${address}:${OPERATIONS}/readyz`).catch(() => undefined)
            const isRunning =
              (await engine.podman('inspect', '--format', '{{.State.Running}}', container)).trim() === 'true'
            assert.ok(isRunning, `it ended: ${await engine.logs(container)}`)
            return answer?.ok || undefined
          })
        await checkConfinement(pid, deployment)
      },
    )
  }
  await report.check('each has its own users of NATS and of the stores', async () => {
    for (const name of deployments.keys()) {
      const { pid } = await engine.running(name, containerOf(name))
      const env = await readFile(`/proc/${pid}/environ`, 'utf8')
      for (const [, key = '', user] of env.matchAll(/(\w+)=(?:nats|mongodb|redis):\/\/([^:]*):/g))
        assert.equal(user, name.replace(/-2$/, ''), `${key} of ${name}`)
    }
  })
  return { addresses, deployments }
}

/** Ends a process by SIGTERM. Throws unless it ends in order. */
async function stop(engine: Engine, pod: string): Promise<void> {
  await engine.podman('stop', '--time', '60', containerOf(pod))
  const state = await engine.podman('inspect', '--format', '{{.State.ExitCode}} {{.State.OOMKilled}}', containerOf(pod))
  assert.equal(state.trim(), '0 false', `${pod}: exit code, killed for its memory`)
}

/** Ends one of the two processes of each kind at a time, under load. */
async function checkStops(engine: Engine, load: DoorLoad, urlOf: (pod: string) => string, { signal, waitFor }: Phase) {
  await report.check(`SIGTERM to ${TWICE.join(', ')} under load loses no answer`, async () => {
    for (const pod of [...TWICE].reverse()) {
      waitFor(`scans before ${pod} ends`)
      await load.more(50, signal)
      load.withdraw(urlOf(pod))
      await stop(engine, pod)
    }
    await load.more(50, signal)
    return await load.end()
  })
}

async function checkLimits(engine: Engine): Promise<void> {
  await report.check('what exceeds its limit is ended by the kernel', async () => {
    const program = 'for (const all = []; ; ) all.push(Buffer.alloc(2 ** 24, 1))'
    const limit = ['--name', 'greedy', '--memory', '128m', '--memory-swap', '128m']
    const ended = await engine.podman('run', ...limit, IMAGE, '--eval', program).catch(() => '')
    assert.equal(ended, '')
    // 128 and the number of SIGKILL.
    const codes = await engine.podman('ps', '--all', '--filter', 'name=greedy', '--format', '{{.Status}}')
    assert.match(codes, /^Exited \(137\)/)
  })
}

/** What the command is asked for. */
interface Options {
  minutes: number
  archive?: string
  compose?: boolean
}

async function checkAll(phase: Phase, { archive, compose: composeAlone }: Options): Promise<void> {
  const engine = new Engine(await mkdtemp(join(tmpdir(), 'gatehouse-engine-')))
  undone.push(() => engine.end())
  await engine.start()
  if (composeAlone) return await checkCompose(engine, report, phase)
  await (archive ? loadImage(engine, archive) : buildImage(engine, phase))
  await checkContents(engine, IMAGE, manifest.version, report)
  await checkImports(engine, IMAGE, report)
  await checkLimits(engine)
  const address = await engine.connect(IMAGE)
  const mails = await startMailServer()
  undone.push(() => mails.stop())
  const { addresses, deployments } = await startPods(engine, address, mails.url, phase)
  const urlOf = (pod: string): string => `http://${addresses[pod]}:${HTTP}`
  phase.waitFor('an event')
  const event = await openEvent(engine, containerOf('cli'), urlOf('gateway'), report)
  await checkDoor(event, report, phase.signal)
  await checkMail(event, mails, report, phase.signal)
  const load = new DoorLoad(event, [urlOf('gateway'), urlOf('gateway-2')])
  await checkStops(engine, load, urlOf, phase)
  const remaining = { ...event, client: connect({ url: urlOf('gateway-2'), token: event.token }) }
  // Two were before the load.
  await checkCount(remaining, load.granted + 2, report, phase.signal)
  await report.check('all others end in order on SIGTERM', async () => {
    for (const pod of deployments.keys()) if (!TWICE.includes(pod)) await stop(engine, pod)
  })
  await checkCompose(engine, report, phase)
}

const command = new Command('npm run check:images --')
  .description(
    'Build the image and run every process of the development overlay in it, as root, with podman and buildah',
  )
  .option('--archive <file>', 'of `podman save` or `docker save`: check this image instead of building one')
  .option('--compose', 'check the stores of deploy/compose.yaml alone')
  .option('--minutes <number>', 'after which it gives up', numberFrom(1), 15)
  .action(async (options: Options) => {
    const lacks = lacking()
    if (lacks) {
      console.log(`Images can't be checked on this machine: ${lacks}`)
      process.exitCode = 69
      return
    }
    const interruption = interruptible(say)
    try {
      await inPhase('check:images', options.minutes * 60_000, { say, interrupted: interruption.signal }, (phase) =>
        checkAll(phase, options),
      )
    } catch (error) {
      report.failed++
      say(`FAILED  ${(error as Error).message}`)
    }
    say('removing everything')
    for (const undo of undone.reverse()) await Promise.resolve(undo()).catch((error) => say(`FAILED  ${error.message}`))
    console.log(`${report.passed} passed, ${report.failed} failed`)
    process.exit(interruption.exitCode ?? (report.failed ? 1 : 0))
  })
await runCommand(command)
