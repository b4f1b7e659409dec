#!/usr/bin/env node
import { Fault, fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { Command, runCommand } from '@gatehouse/proto/process/command.ts'
import { ConfigurationError, MISUSED } from '@gatehouse/proto/process/config.ts'
import { say } from './terminal.ts'

/** The commands, in the order of the usage. Only the one which is run is loaded. */
const commands: Record<string, () => Promise<Command>> = {
  up: async () => (await import('./up.ts')).upCommand(),
  bootstrap: async () => (await import('./bootstrap.ts')).bootstrapCommand(),
  account: async () => (await import('./account-command.ts')).accountCommand(),
  token: async () => (await import('./token.ts')).tokenCommand(),
  device: async () => (await import('./device.ts')).deviceCommand(),
  'sso-app': async () => (await import('./sso-app.ts')).ssoAppCommand(),
  contact: async () => (await import('./contact.ts')).contactCommand(),
  staff: async () => (await import('./staff.ts')).staffCommand(),
  app: async () => (await import('./app.ts')).appCommand(),
  hooks: async () => (await import('./hooks.ts')).hooksCommand(),
  import: async () => (await import('./import/command.ts')).importCommand(),
  export: async () => (await import('./export/command.ts')).exportCommand(),
  erase: async () => (await import('./erase.ts')).eraseCommand(),
  demo: async () => (await import('./demo/command.ts')).demoCommand(),
  backup: async () => (await import('./backup.ts')).backupCommand(),
  mongod: async () => (await import('./mongod.ts')).mongodCommand(),
  'nats-config': async () => (await import('./nats-config.ts')).natsConfigCommand(),
}

const program = new Command('gatehouse').description('The guest side of large events')
const [, , named = ''] = process.argv
for (const load of Object.hasOwn(commands, named) ? [commands[named]] : Object.values(commands))
  if (load) program.addCommand(await load())

try {
  await runCommand(program)
} catch (error) {
  say(process.stderr, `gatehouse: ${sentenceOf(error)}`)
  process.exitCode = error instanceof ConfigurationError ? MISUSED : 1
}

function sentenceOf(error: unknown): string {
  if (error instanceof Fault && error.errors) return fullSentences(error.errors).join('; ')
  return error instanceof Error ? error.message : String(error)
}
