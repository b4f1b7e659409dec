import { type Command, InvalidArgumentError } from 'commander'

export { Command, InvalidArgumentError, Option } from 'commander'

/** The exit code of whoever was called in a way that there is not, as shells have it. */
const MISUSED = 2

/**
 * Runs a command, or that of its subcommands which is meant, by the arguments of this process. `--help` prints its usage and ends with 0; what it
 * does not take prints what is wrong, and the usage, and ends with 2. Rejects with what the command throws.
 */
export async function runCommand(command: Command): Promise<void> {
  for (const each of withSubcommands(command))
    each.showHelpAfterError().exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : MISUSED))
  await command.parseAsync()
}

/** A command and all below it. */
function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)]
}

/** Reads the whole number that an option takes, for commander; anything else is refused in its name. */
export function numberFrom(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isInteger(number) && number >= minimum && number <= maximum) return number
    const range = maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
    throw new InvalidArgumentError(`It takes a whole number ${range}.`)
  }
}
