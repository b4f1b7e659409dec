/** A command line of node with its environment. */
export interface Program {
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
}

/**
 * By default V8 sizes the young space as if a process were alone on its machine. Here several share one: under load a process takes half of the
 * memory, and no more CPU was measured (docs/performance.md).
 */
const MEMORY_FLAGS = ['--max-semi-space-size=8']

/**
 * V8 allocates objects of a place in the code directly in the old space once many of them have survived the young space. In a process that starts
 * under load many do for a moment, and a young space this small decides early: every second gateway then allocated the objects of each request in
 * the old space for the rest of its life, collected it seven times a second, and took twice the CPU.
 */
const AGE_FLAGS = ['--no-allocation-site-pretenuring']

/**
 * By default V8 collects garbage with four further threads. On a machine of few processors they compete with the other processes, which an answer
 * needs: a collection delayed the door for 100 ms, and takes 15 with one such thread.
 */
const THREAD_FLAGS = ['--v8-pool-size=1']

/**
 * By default the C library keeps what a thread frees of blocks up to 32 MiB, once it has seen such a block: sso hashes passwords in several threads,
 * with 19 MiB each. With a fixed threshold these blocks go back to the machine.
 */
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: '1048576' }

/**
 * How to run a `main.ts` of the system, or with other `flags` another program. `cache` keeps compiled code: the next start is faster and needs no
 * memory for the compiler.
 */
export function programOf(
  main: string,
  cache: string,
  flags = [...MEMORY_FLAGS, ...AGE_FLAGS, ...THREAD_FLAGS],
): Program {
  return {
    command: process.execPath,
    args: [...flags, main],
    env: { NODE_COMPILE_CACHE: cache, ...ALLOCATOR },
  }
}
