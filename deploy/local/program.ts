/** How node runs a process of the system. */
export interface Program {
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
}

/**
 * V8 takes room for young objects, and lets old garbage lie, as if a process were alone on its machine. Here six share one: what requests
 * leave in the old space is collected once it is a quarter of what lives. Under load that takes a third to a half off the most they hold,
 * and hardly more CPU was measured (docs/performance.md).
 */
const MEMORY_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=25']

/**
 * Of what is made in one place V8 puts all into the old space if once much of it outlived the young one. In a process that begins under load
 * much does for a moment, and so small a young space is judged at once: every other gateway then put what each request leaves into the old
 * space for the rest of its life, which was collected seven times a second, and took twice the CPU.
 */
const AGE_FLAGS = ['--no-allocation-site-pretenuring']

/**
 * With an arena for each thread, glibc keeps what short-lived buffers leave behind: some 50 MB in a gateway under load. And once a large
 * buffer was freed it takes the next ones from the same heap as the small ones, which then lie between them and keep it from shrinking:
 * with both limits given it goes on mapping each body of a batch and each page of a list by itself.
 */
const MEMORY_SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '1048576' }

/**
 * V8 collects garbage with four threads beside each process's own. On a machine of few processors, where the processes need each other for
 * an answer, they take it from who is at work: a collection held up the door for 100 ms that with one such thread takes 15.
 */
const THREAD_FLAGS = ['--v8-pool-size=1']

/**
 * How to run a `main.ts` of the system, or with other `flags` something beside it. What was compiled once is kept in `cache`: the next start
 * is faster, and the compiler takes no memory.
 */
export function programOf(
  main: string,
  cache: string,
  flags = [...MEMORY_FLAGS, ...AGE_FLAGS, ...THREAD_FLAGS],
): Program {
  return {
    command: process.execPath,
    args: [...flags, main],
    env: { NODE_COMPILE_CACHE: cache, ...MEMORY_SETTINGS },
  }
}
