import type { Writable } from 'node:stream'
import { type Command, CommanderError, InvalidArgumentError } from 'commander'
import { MISUSED } from './config.ts'

export { Command, InvalidArgumentError, Option } from 'commander'

/** Runs a command or subcommand by the arguments of this process, which ends after `--help` and wrong arguments. Rejects with the command's error. */
export async function runCommand(command: Command): Promise<void> {
  const exitCode = await parse(command, process.argv.slice(2), { out: process.stdout, err: process.stderr })
  if (exitCode !== undefined) process.exit(exitCode)
}

/**
 * Runs a command or subcommand by these arguments. Returns undefined when it is done, 0 if it printed its help instead, and 2 after wrong arguments,
 * for which it prints the error and the usage. Rejects with the command's error.
 */
export async function parse(
  command: Command,
  args: readonly string[],
  { out, err }: { out: Writable; err: Writable },
): Promise<number | undefined> {
  for (const each of withSubcommands(command))
    each
      .showHelpAfterError()
      .exitOverride()
      .configureOutput({ writeOut: (text) => out.write(text), writeErr: (text) => err.write(text) })
  try {
    await command.parseAsync(args, { from: 'user' })
    return undefined
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED
    throw error
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

/** A commander parser for options that are whole numbers in a range. */
export function numberFrom(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isInteger(number) && number >= minimum && number <= maximum) return number
    const range = maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
    throw new InvalidArgumentError(`It takes a whole number ${range}.`)
  }
}
