import { rename, writeFile } from 'node:fs/promises'
import { findTool } from '@gatehouse/local/test-tools'

/** The path of the library that gives processes another time (libfaketime); it is fetched from Debian the first time. */
export async function clockLibrary(log: (line: string) => void): Promise<string> {
  return (await findTool('faketime', log)).path
}

/**
 * The clock of a host, by which Gatehouse's processes on it go. The servers of stores have the machine's: NATS asks the kernel without the C library,
 * and Redis with the library does not start, as its allocator asks for the time before the library is ready.
 */
export class HostClock {
  readonly #file: string
  readonly #library: string

  constructor(file: string, library: string) {
    this.#file = file
    this.#library = library
  }

  /** The environment of a process. How much time has passed is right all the same. */
  get env(): NodeJS.ProcessEnv {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
    }
  }

  /** Sets it to be fast by some seconds, or slow if they are negative. Processes see that within a second. */
  async set(seconds: number): Promise<void> {
    await writeFile(`${this.#file}.next`, `${seconds < 0 ? '' : '+'}${seconds}s\n`)
    await rename(`${this.#file}.next`, this.#file)
  }
}
