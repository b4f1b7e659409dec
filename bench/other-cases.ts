import { type BenchCase, CONNECTIONS, type Run, STORES } from './case.ts'
import type { DriverJob } from './driver.ts'
import type { Issued } from './sign-ons.ts'
import type { BenchWorld } from './world.ts'

/* Makers of cases that do not check guests in. */

/** The processes of cases that use the database driver alone. */
export const DRIVER = ['driver', 'postgres', 'mongod']
/** Guests of a page. */
export const PAGE = 500

export function echo(name: string, gateway: string, processes: string[], path: string): BenchCase {
  return {
    name,
    group: 'echo',
    processes,
    concurrency: CONNECTIONS,
    load: async (_world, peers) => ({ kind: 'echo', url: peers[gateway] ?? '', path }),
  }
}

/** Requests the same page of a list again and again, one request after another. */
export function list(name: string, rest: string, how?: 'walk' | 'spoil'): BenchCase {
  return {
    name,
    group: 'lists',
    processes: ['gateway', 'guests', ...STORES],
    concurrency: 1,
    latency: true,
    load: async ({ url, path, someGuest }) => {
      if (how === 'walk') await walk(Array.from({ length: 200 }, (_, n) => url + path(pageAt(n + 1))))
      return {
        kind: 'get',
        path: path(rest),
        ...(how === 'spoil' && { spoil: { path: path(`guests/${someGuest}.json`), body: '{"position":"Speaker"}' } }),
      }
    },
  }
}

export function pageAt(page: number): string {
  return `guests.json?per_page=${PAGE}&page=${page}`
}

/** Requests page after page, as a client that walks the list does; not measured. */
async function walk(urls: string[]): Promise<void> {
  for (const url of urls) await (await fetch(url)).arrayBuffer()
}

/** Requests of a site to stock oidc-provider. */
export function ofStock(name: string, kind: 'me' | 'exchange', path: string, wanted: (run: Run) => string): BenchCase {
  return {
    name,
    group: 'sso',
    processes: ['oidc-provider'],
    concurrency: CONNECTIONS,
    load: async (_world, { 'oidc-provider': url = '' }, run) => {
      const answer = await fetch(`${url}/bench/${wanted(run)}`)
      if (!answer.ok) throw new Error(await answer.text())
      return { kind, url, path, ...((await answer.json()) as Issued) }
    },
  }
}

/** Requests of a site to an account's single sign-on. */
export function ofSignOn(
  name: string,
  kind: 'me' | 'exchange',
  baseline: string,
  path: string,
  issue: (world: BenchWorld, run: Run) => Promise<Issued>,
): BenchCase {
  return {
    name,
    group: 'sso',
    baseline,
    processes: ['gateway', 'sso', ...STORES],
    concurrency: CONNECTIONS,
    load: async (world, _peers, run) => ({ kind, path: `/sso/bench${path}`, ...(await issue(world, run)) }),
  }
}

export function driver(name: string, group: BenchCase['group'], work: Omit<DriverJob, 'seconds'>): BenchCase {
  return {
    name,
    group,
    processes: DRIVER,
    concurrency: work.concurrency,
    work: () => work,
    ...(work.concurrency === 1 && { latency: true as const }),
  }
}

export function pageOfDriver(name: string, skip: number): BenchCase {
  return {
    name,
    group: 'lists',
    processes: DRIVER,
    concurrency: 1,
    latency: true,
    work: ({ event_id }) => ({ kind: 'guests', size: PAGE, skip, event_id, concurrency: 1 }),
  }
}
