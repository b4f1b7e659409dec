import { existsSync } from 'node:fs'
import { Fault, fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { Command, parse } from '@gatehouse/proto/process/command.ts'
import { ConfigurationError, MISUSED } from '@gatehouse/proto/process/config.ts'
import manifest from '../package.json' with { type: 'json' }
import { say, type Terminal } from './terminal.ts'

/** The commands, in the order of the usage. Only the one that is run is loaded. */
const commands: Record<string, (terminal: Terminal) => Promise<Command>> = {
  up: async (terminal) => (await import('./up.ts')).upCommand(terminal),
  bootstrap: async (terminal) => (await import('./bootstrap.ts')).bootstrapCommand(terminal),
  account: async (terminal) => (await import('./account-command.ts')).accountCommand(terminal),
  token: async (terminal) => (await import('./token.ts')).tokenCommand(terminal),
  device: async (terminal) => (await import('./device.ts')).deviceCommand(terminal),
  area: async (terminal) => (await import('./area.ts')).areaCommand(terminal),
  'sso-app': async (terminal) => (await import('./sso-app.ts')).ssoAppCommand(terminal),
  contact: async (terminal) => (await import('./contact.ts')).contactCommand(terminal),
  staff: async (terminal) => (await import('./staff.ts')).staffCommand(terminal),
  app: async (terminal) => (await import('./app.ts')).appCommand(terminal),
  hooks: async (terminal) => (await import('./hooks.ts')).hooksCommand(terminal),
  import: async (terminal) => (await import('./import/command.ts')).importCommand(terminal),
  migrate: async (terminal) => (await import('./migrate/command.ts')).migrateCommand(terminal),
  export: async (terminal) => (await import('./export/command.ts')).exportCommand(terminal),
  erase: async (terminal) => (await import('./erase.ts')).eraseCommand(terminal),
  cell: async (terminal) => (await import('./cell/command.ts')).cellCommand(terminal),
  demo: async (terminal) => (await import('./demo/command.ts')).demoCommand(terminal),
  backup: async (terminal) => (await import('./backup.ts')).backupCommand(terminal),
  restore: async (terminal) => (await import('./backup.ts')).restoreCommand(terminal),
  mongod: async (terminal) => (await import('./mongod.ts')).mongodCommand(terminal),
  'nats-config': async (terminal) => (await import('./nats-config.ts')).natsConfigCommand(terminal),
}

// The image has no servers to run.
if (!existsSync(new URL('../deploy/local', import.meta.url)))
  for (const name of ['up', 'backup', 'mongod']) delete commands[name]

/** Runs the command line with these arguments. Returns the exit code. */
export async function gatehouse(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('gatehouse').description('The guest side of large events').version(manifest.version)
  const [named = ''] = args
  for (const load of Object.hasOwn(commands, named) ? [commands[named]] : Object.values(commands))
    if (load) program.addCommand(await load(terminal))
  try {
    return (await parse(program, args, terminal)) ?? terminal.exitCode ?? 0
  } catch (error) {
    say(terminal.err, `gatehouse: ${sentenceOf(error)}`)
    return error instanceof ConfigurationError ? MISUSED : 1
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof Fault && error.errors) return fullSentences(error.errors).join('; ')
  return error instanceof Error ? error.message : String(error)
}
