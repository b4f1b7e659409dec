import { type Stack, startStack } from '@gatehouse/local/stack'
import { familyOf, sendSignal } from '@gatehouse/test/load/processes.ts'
import { backAddressOf, DATABASE } from './addresses.ts'

/** The host of the database, which is the network namespace of the drill itself. */
export class DatabaseHost {
  readonly #folder: string
  readonly #say: (line: string) => void
  #stack: Promise<Stack> | undefined

  /** `folder` keeps its files; `say` gets why it does not start again. */
  constructor(folder: string, say: (line: string) => void) {
    this.#folder = folder
    this.#say = say
    // Any address of this namespace; the wire server does not serve others by default.
    process.env.MONGOD_HOST = '0.0.0.0'
  }

  /** Starts it; returns its address when it serves, which stays the same. */
  async start(): Promise<string> {
    this.#stack = startStack({ dataDir: this.#folder, servers: ['mongodb'] })
    const { mongodbUrl } = await this.#stack
    return mongodbUrl.replace('127.0.0.1', backAddressOf(DATABASE))
  }

  /** Starts it after its death, with the files that it had. */
  startAgain(): void {
    this.start().catch(({ message }: Error) => this.#say(`  the database: ${message}`))
  }

  /** Kills all its processes at once and keeps them from being started again. */
  async kill(): Promise<void> {
    const stack = await this.#stack?.catch(() => undefined)
    this.#stack = undefined
    if (!stack) return
    for (const pid of Object.values(stack.processes).flatMap(familyOf)) sendSignal(pid, 'SIGKILL')
    await stack.stop()
  }
}
