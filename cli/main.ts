#!/usr/bin/env node
import { Fault, fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { Command, runCommand } from '@gatehouse/proto/process/command.ts'
import { ConfigurationError, MISUSED } from '@gatehouse/proto/process/config.ts'
import { appCommand } from './app.ts'
import { backupCommand } from './backup.ts'
import { bootstrapCommand } from './bootstrap.ts'
import { contactCommand } from './contact.ts'
import { demoCommand } from './demo/command.ts'
import { deviceCommand } from './device.ts'
import { eraseCommand } from './erase.ts'
import { exportCommand } from './export/command.ts'
import { hooksCommand } from './hooks.ts'
import { importCommand } from './import/command.ts'
import { mongodCommand } from './mongod.ts'
import { natsConfigCommand } from './nats-config.ts'
import { ssoAppCommand } from './sso-app.ts'
import { staffCommand } from './staff.ts'
import { tokenCommand } from './token.ts'
import { upCommand } from './up.ts'

const program = new Command('gatehouse')
  .description('The guest side of large events')
  .addCommand(upCommand())
  .addCommand(bootstrapCommand())
  .addCommand(tokenCommand())
  .addCommand(deviceCommand())
  .addCommand(ssoAppCommand())
  .addCommand(contactCommand())
  .addCommand(staffCommand())
  .addCommand(appCommand())
  .addCommand(hooksCommand())
  .addCommand(importCommand())
  .addCommand(exportCommand())
  .addCommand(eraseCommand())
  .addCommand(demoCommand())
  .addCommand(backupCommand())
  .addCommand(mongodCommand())
  .addCommand(natsConfigCommand())

try {
  await runCommand(program)
} catch (error) {
  process.stderr.write(`gatehouse: ${sentenceOf(error)}\n`)
  process.exitCode = error instanceof ConfigurationError ? MISUSED : 1
}

function sentenceOf(error: unknown): string {
  if (error instanceof Fault && error.errors) return fullSentences(error.errors).join('; ')
  return error instanceof Error ? error.message : String(error)
}
