import type { BackgroundLoad } from './background.ts'
import { type Environment, STORES } from './environment.ts'
import type { Job } from './job.ts'

/** What is measured, and what it is compared with. */
export interface BenchCase {
  name: string
  /** What `--only` selects by. */
  group: 'single' | 'batch' | 'alone' | 'areas' | 'lists' | 'import' | 'sso' | 'mail' | 'open' | 'migrate'
  /** The case to compare with: by requests a second, or by median latency if `latency` is set. */
  baseline?: string
  /** The processes whose CPU counts. */
  processes: string[]
  /** Compares latencies instead of throughput. */
  latency?: true
  /** Runs so many times as long as other cases, because it sends few requests. */
  times?: number
  /** The case that warms the processes up, if this one sends too few requests for V8 to compile what it runs. */
  warmUp?: BenchCase
  /** Runs in another system than the others. */
  environment?: (environment: Environment) => Promise<Environment>
  /** Prepares a run and returns its job. */
  job(environment: Environment, seconds: number): Promise<Job>
  /** Throws if the system does not show what the requests of a run have done. */
  verify?: (environment: Environment, requests: number) => Promise<void>
  /** Starts background work before the load. */
  background?: (environment: Environment, seconds: number) => Promise<BackgroundLoad>
}

/** Connections of a case, unless it says otherwise. */
export const CONNECTIONS = 64
/** The system's own processes that every case needs. */
export const OWN = ['gateway', 'checkin', 'guests', 'sso']
export const SYSTEM = [...OWN, ...STORES]
/** The processes of cases that use the database driver alone. */
export const DRIVER = ['driver', 'postgres', 'mongod']
