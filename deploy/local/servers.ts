import { createWriteStream, type WriteStream } from 'node:fs'
import { rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { StackPasswords } from './credentials.ts'
import type { Programs } from './packages.ts'
import { ownFolder, writePrivate } from './private-files.ts'
import type { StackOptions, StoreName } from './stack-options.ts'
import type { StateFile } from './state.ts'
import { type Supervised, type Supervision, supervise } from './supervise.ts'
import { userOf } from './user.ts'

const LOG_LIMIT_BYTES = 5 * 1024 ** 2

/** What a server of the stack is started with. */
export interface StackSetup {
  options: StackOptions
  /** Absolute. */
  dataDir: string
  /** Undefined if all programs are the machine's own. */
  packaged: Programs | undefined
  ports: Record<StoreName, number>
  credentials: StackPasswords
  servers: Servers
}

/** The servers of a stack, each with a log file in the data folder. */
export class Servers {
  readonly #dataDir: string
  readonly #options: StackOptions
  readonly #file: StateFile
  readonly #started: Supervised[] = []
  readonly #logs: WriteStream[] = []

  constructor(dataDir: string, options: StackOptions, file: StateFile) {
    this.#dataDir = dataDir
    this.#options = options
    this.#file = file
  }

  /** The current process ids by name. */
  get processes(): Record<string, number> {
    return Object.fromEntries(this.#started.flatMap(({ name, pid }) => (pid === undefined ? [] : [[name, pid]])))
  }

  /** Starts a server, and keeps it running. */
  async start(name: string, supervision: Omit<Supervision, 'name' | 'log'>): Promise<void> {
    const output = await openLog(join(this.#dataDir, 'logs', `${name}.log`))
    this.#logs.push(output)
    const supervised = supervise({
      ...supervision,
      name,
      ...(this.#options.log && { log: this.#options.log }),
      onLine: (line) => {
        // The last lines of a process may arrive after its end.
        if (!output.writableEnded) output.write(`${line}\n`)
      },
      onStart: (pid) => this.#file.set(name, pid),
    })
    this.#started.push(supervised)
  }

  /**
   * Returns how to run a server in the data folder, with a subfolder that only its user may enter. Only that user can read its `configuration`, in
   * the file `<name>.conf`.
   */
  async inDataDir(name: StoreName, command = '', args: string[] = [], configuration?: string) {
    const user = userOf(name)
    if (configuration) await writePrivate(join(this.#dataDir, `${name}.conf`), configuration, user)
    await ownFolder(join(this.#dataDir, name), user)
    return { command, args, cwd: this.#dataDir, user }
  }

  /** Resolves when all serve; rejects if one of them cannot. */
  async ready(): Promise<void> {
    await Promise.all(this.#started.map(({ ready }) => ready))
    await this.#file.written()
  }

  /** Stops them in reverse order. */
  async stop(): Promise<void> {
    for (const server of this.#started.toReversed()) await server.stop()
    for (const output of this.#logs) output.end()
    await this.#file.remove()
    if (this.#options.throwAway) await rm(this.#dataDir, { recursive: true, force: true })
  }
}

async function openLog(path: string): Promise<WriteStream> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size > LOG_LIMIT_BYTES) await truncate(path)
  const output = createWriteStream(path, { flags: 'a' })
  // A full disk costs log lines, not the process.
  return output.on('error', () => {})
}
