/** How node runs a process of the system. */
export interface Program {
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
}

/**
 * Young objects get this much room, in MiB: half of V8's own, since requests live for milliseconds and six processes share a
 * machine's memory and caches.
 */
const YOUNG_SPACE = 8

/**
 * How to run a `main.ts` of the system. What was compiled once is kept in `cache`: the next start is faster, and the compiler
 * takes no memory.
 */
export function programOf(main: string, cache: string): Program {
  return {
    command: process.execPath,
    args: [`--max-semi-space-size=${YOUNG_SPACE}`, main],
    // With an arena for each thread, glibc keeps what short-lived buffers leave behind: some 50 MB in a gateway under load.
    env: { NODE_COMPILE_CACHE: cache, MALLOC_ARENA_MAX: '2' },
  }
}
