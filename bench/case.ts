import type { BackgroundLoad } from './background.ts'
import type { DriverJob } from './driver.ts'
import type { Export } from './exporter.ts'
import type { Import } from './importer.ts'
import type { MailJob } from './mailer.ts'
import type { Job } from './requests.ts'
import type { BenchWorld } from './world.ts'

/** What is measured, and what it is compared with. */
export interface BenchCase {
  name: string
  /** What `--only` selects by. */
  group: 'echo' | 'single' | 'batch' | 'alone' | 'lists' | 'import' | 'export' | 'sso' | 'mail' | 'open'
  /** The case to compare with: by requests a second, or by median latency if `latency` is set. */
  baseline?: string
  /** The processes whose CPU counts, by their names in `Stage.pids`. */
  processes: string[]
  load?: (
    world: BenchWorld,
    peers: Record<string, string>,
    run: Run,
  ) => Promise<Partial<Job> & Pick<Job, 'kind' | 'path'>>
  work?: (world: BenchWorld) => Omit<DriverJob, 'seconds'>
  exports?: (world: BenchWorld) => Export
  imports?: (world: BenchWorld) => Promise<Import>
  mails?: (world: BenchWorld, peers: Record<string, string>, run: Run) => Promise<MailJob>
  concurrency: number
  /** Starts background work, before the load. */
  background?: (world: BenchWorld, peers: Record<string, string>, run: Run) => Promise<BackgroundLoad>
  /** Sent at planned times, after all rounds: at this many requests a second, or at a share of what the closed loop reaches. */
  openLoop?: number | 'share'
  /** One request after another is sent, and latencies are compared instead of throughput. */
  latency?: true
  /** Runs to its end, once a round, and not for warming up. */
  whole?: true
}

/** One run of a case. */
export interface Run {
  seconds: number
  /** Requests a second of an open loop. */
  rate?: number
  /** Whether to count the operations of NATS and Redis. */
  counters?: boolean
}

/** Connections of a case, unless it says otherwise. */
export const CONNECTIONS = 64
/** The system's own processes, and those of the stores. */
export const OWN = ['gateway', 'checkin', 'guests', 'sso']
export const STORES = ['nats', 'redis', 'postgres', 'mongod']
export const SYSTEM = [...OWN, ...STORES]
