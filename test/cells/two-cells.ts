import { releaseNamespace, takeNamespace } from '../harness/namespaces.ts'
import { type System, startSystem } from '../harness/system.ts'

/** Two cells: each gateway answers for the accounts of both. */
export interface TwoCells {
  east: System
  west: System
  stop(): Promise<void>
}

/** Starts two cells on the servers of the run. */
export async function startTwoCells(options: Parameters<typeof startSystem>[0] = {}): Promise<TwoCells> {
  const names = [await takeNamespace(), await takeNamespace()] as const
  const [east, west] = await Promise.all(
    names.map((namespace, index) =>
      startSystem({ ...options, namespace, gateway: { ...options.gateway, cells: names[1 - index] as string } }),
    ),
  )
  if (!east || !west) throw new Error('a cell did not start')
  return {
    east,
    west,
    stop: async () => {
      await Promise.all([east.stop(), west.stop()])
      for (const name of names) releaseNamespace(name)
    },
  }
}
