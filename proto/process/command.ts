import { type Command, InvalidArgumentError } from 'commander'
import { MISUSED } from './config.ts'

export { Command, InvalidArgumentError, Option } from 'commander'

/**
 * Runs a command or subcommand by the arguments of this process. `--help` prints the usage and ends with 0; wrong arguments print the error and
 * the usage, and end with 2. Rejects with the command's error.
 */
export async function runCommand(command: Command): Promise<void> {
  for (const each of withSubcommands(command))
    each.showHelpAfterError().exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : MISUSED))
  await command.parseAsync()
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
