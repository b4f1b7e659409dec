import { Command, numberFrom } from '@gatehouse/proto/process/command.ts'
import { inSystem } from '../system.ts'
import { STOPPED, say, stoppable, type Terminal } from '../terminal.ts'
import { cellAt } from './cells.ts'
import { Move } from './move.ts'
import { Patience } from './patience.ts'

interface CellOptions {
  to: string
  longest: number
  closed: number
  undo?: boolean
}

/** `gatehouse cell`. */
export function cellCommand(terminal: Terminal): Command {
  const command = new Command('cell').description('Several cells, each a Gatehouse with stores of its own')
  command
    .command('move')
    .description(
      'Move an account to another cell while it is used. Run it again after it was stopped or killed: it goes on where it was',
    )
    .argument('<account>', 'its slug')
    .requiredOption('--to <cell>', "that cell's NAMESPACE")
    .option('--longest <seconds>', 'the longest that a request may take: four times DEADLINE_MS', numberFrom(1), 20)
    .option(
      '--closed <seconds>',
      'the longest that the account may be closed; then it is tried again',
      numberFrom(1),
      10,
    )
    .option('--undo', 'open the account again where it was, and delete what was copied')
    .action((slug: string, options: CellOptions) => stoppable(terminal, () => move(slug, options, terminal)))
  return command
}

function move(slug: string, { to, longest, closed, undo }: CellOptions, terminal: Terminal): Promise<number> {
  return inSystem(terminal, async ({ bus }) => {
    if (to === bus.namespace) throw new Error(`This is the cell ${to}: run it where the account lives`)
    const times = { longestMs: longest * 1_000, closedMs: closed * 1_000 }
    const told = { stop: terminal.stop, say: (line: string) => say(terminal.err, line) }
    const patience = new Patience()
    const [here, there] = [cellAt(bus, bus.namespace, patience), cellAt(bus, to, patience)]
    const moving = await Move.of({ from: here, to: there, slug, patience, ...times, ...told })
    if (undo) {
      await moving.undo()
      say(terminal.out, `${slug} lives in the cell ${bus.namespace}`)
      return 0
    }
    await moving.run()
    if (terminal.stop.aborted) {
      say(terminal.err, 'Stopped. Run it again to continue')
      return STOPPED
    }
    return 0
  })
}
