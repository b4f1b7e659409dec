import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { execute } from '@gatehouse/local/execute'
import { isRoot } from '@gatehouse/local/user'

/** The packages of Debian with the tools that build and run images. */
const PACKAGES = ['podman', 'buildah', 'runc', 'netavark', 'aardvark-dns', 'iptables', 'mmdebstrap']
const TOOLS = ['/usr/bin/podman', '/usr/bin/buildah', '/usr/bin/mmdebstrap', '/usr/sbin/iptables', '/usr/sbin/runc']
const MORE = ['/usr/lib/podman/netavark', '/usr/lib/podman/aardvark-dns']

/** Says what this machine lacks to build and run images; undefined if nothing. */
export function lacking(): string | undefined {
  if (!isRoot()) return 'it needs root, as which podman enforces limits'
  const missing = [...TOOLS, ...MORE].filter((path) => !existsSync(path))
  if (missing.length === 0) return undefined
  return `${missing.join(', ')} missing: apt-get install --no-install-recommends ${PACKAGES.join(' ')}`
}

/** An address of a container, and the process in it. */
export interface Running {
  address: string
  pid: number
}

/** podman and buildah with images, containers and networks of their own in one folder. */
export class Engine {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Makes the folder, and a network from which nothing leads out. */
  async start(): Promise<void> {
    await mkdir(join(this.#folder, 'networks'), { recursive: true })
    // podman's own limits may be above those that this process may give to others.
    const limits = '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n'
    await writeFile(join(this.#folder, 'containers.conf'), limits)
    await this.podman('network', 'create', '--internal', NETWORK)
  }

  /** Connects this machine with the network, by a container that keeps it. Returns the machine's address there. */
  async connect(image: string): Promise<string> {
    await this.podman('run', '--detach', '--network', NETWORK, image, '--eval', 'setInterval(() => {}, 2 ** 30)')
    const [{ subnets = [] } = {}] = JSON.parse(await this.podman('network', 'inspect', NETWORK))
    return subnets[0].gateway
  }

  podman(...args: string[]): Promise<string> {
    return execute('podman', [...this.#options, '--network-config-dir', join(this.#folder, 'networks'), ...args], {
      env: this.#env,
    })
  }

  /** Runs buildah, and `say`s each line of its output. Its build steps use the network of the machine. */
  async buildah(args: readonly string[], say: (line: string) => void, signal: AbortSignal): Promise<void> {
    const child = spawn('buildah', [...this.#options, ...args], {
      env: { ...process.env, ...this.#env },
      signal,
      stdio: 'pipe',
    })
    let rest = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = `${rest}${chunk}`.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) say(line)
      })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`buildah ended with ${code}`)
  }

  /** The last lines that a container printed. */
  async logs(container: string): Promise<string> {
    const child = spawn('podman', [...this.#options, 'logs', '--tail', '5', container], { stdio: 'pipe' })
    return (await Promise.all([text(child.stdout), text(child.stderr)])).join('')
  }

  /** Runs a command in a container with this input. Returns what it printed. */
  async exec(container: string, command: readonly string[], input = ''): Promise<string> {
    const args = [...this.#options, 'exec', '--interactive', container, ...command]
    const child = spawn('podman', args, { env: { ...process.env, ...this.#env }, stdio: 'pipe' })
    child.stdin.end(input)
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${err}`)
    return out
  }

  /** Starts the objects of a YAML text. */
  async play(yaml: string): Promise<void> {
    const file = join(this.#folder, 'played.yaml')
    await writeFile(file, yaml)
    await this.podman('kube', 'play', '--quiet', '--network', NETWORK, file)
  }

  /** Where the container of a pod is. */
  async running(pod: string, container: string): Promise<Running> {
    const [{ InfraContainerID = '' } = {}] = [JSON.parse(await this.podman('pod', 'inspect', pod))]
    const [infra] = JSON.parse(await this.podman('inspect', InfraContainerID))
    const [inspected] = JSON.parse(await this.podman('inspect', container))
    return { address: infra.NetworkSettings.Networks[NETWORK].IPAddress, pid: inspected.State.Pid }
  }

  /** Mounts an image, and returns the folder. */
  async mounted(image: string): Promise<string> {
    return (await this.podman('image', 'mount', image)).trim()
  }

  /** Ends all containers, and removes everything. */
  async end(): Promise<void> {
    const steps = [
      ['pod', 'rm', '--all', '--force', '--time', '0'],
      ['rm', '--all', '--force', '--time', '0'],
      ['image', 'unmount', '--all'],
      ['network', 'rm', '--force', NETWORK],
      ['system', 'reset', '--force'],
    ]
    for (const step of steps) await this.podman(...step).catch(() => {})
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 })
  }

  get #options(): string[] {
    const [storage, run] = [join(this.#folder, 'storage'), join(this.#folder, 'run')]
    return ['--root', storage, '--runroot', run, '--storage-driver', 'overlay']
  }

  get #env(): NodeJS.ProcessEnv {
    return { CONTAINERS_CONF: join(this.#folder, 'containers.conf') }
  }
}

/** The network of the containers. */
export const NETWORK = 'gatehouse'
