import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import type { Manifest } from '../../manifests.ts'

const UNITS: Record<string, number> = { Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3 }

/** Throws unless the kernel says that a process is confined as its Deployment wants it. */
export async function checkConfinement(pid: number, { spec }: Manifest): Promise<void> {
  const { securityContext, containers } = spec.template.spec
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string): string[] => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1]?.split(/\s+/) ?? []
  assert.deepEqual(field('Uid'), Array(4).fill(String(securityContext.runAsUser)), 'Uid')
  assert.deepEqual(field('Gid'), Array(4).fill(String(securityContext.runAsGroup)), 'Gid')
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) assert.match(field(set).join(), /^0+$/, set)
  assert.deepEqual(field('NoNewPrivs'), ['1'], 'NoNewPrivs')
  assert.deepEqual(field('Seccomp'), ['2'], 'Seccomp')
  const mounts = await readFile(`/proc/${pid}/mountinfo`, 'utf8')
  const root = mounts.split('\n').find((line) => line.split(' ')[4] === '/')
  assert.match(root?.split(' ')[5] ?? '', /\bro\b/, 'the root file system')
  assert.deepEqual(await readdir(`/proc/${pid}/root/tmp`).catch(() => []), [], 'files in /tmp')
  assert.equal(await memoryLimitOf(pid), bytesOf(containers[0].resources.limits.memory), 'the limit of memory')
}

/** The limit that the kernel holds a process to, by either version of cgroups. */
export async function memoryLimitOf(pid: number): Promise<number> {
  const lines = (await readFile(`/proc/${pid}/cgroup`, 'utf8')).split('\n').map((line) => line.split(':'))
  const first = lines.find(([, controllers]) => controllers?.split(',').includes('memory'))
  const file = first
    ? `/sys/fs/cgroup/memory${first[2]}/memory.limit_in_bytes`
    : `/sys/fs/cgroup${lines.find(([number]) => number === '0')?.[2]}/memory.max`
  return Number(await readFile(file, 'utf8'))
}

function bytesOf(quantity: string): number {
  const [, number, unit = ''] = /^(\d+)(\w*)$/.exec(quantity) ?? []
  return Number(number) * (UNITS[unit] ?? 1)
}
