import type { DriverJob } from './workers/driver.ts'
import type { ImportJob } from './workers/importer.ts'
import type { LoadJob } from './workers/load.ts'
import type { MailJob } from './workers/mailer.ts'
import type { MigrateJob } from './workers/migrator.ts'

/** A job for one of the worker processes. */
export type Job = LoadJob | DriverJob | ImportJob | MailJob | MigrateJob
