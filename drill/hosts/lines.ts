import type { Random } from '@gatehouse/cli/demo/random.ts'

/** What becomes of the frames that one node sends to another. */
export interface Line {
  isCut: boolean
  delayMs: number
  /** The share of frames that are lost. */
  loss: number
}

/** A change of the lines from one node to another. */
export interface LineChange extends Partial<Line> {
  from: number
  to: number
}

const WELL: Line = { isCut: false, delayMs: 0, loss: 0 }

/** The lines between all nodes, each in one direction. */
export class Lines {
  readonly #chance: Random
  readonly #lines = new Map<string, Line>()

  constructor(chance: Random) {
    this.#chance = chance
  }

  /** Changes a line; what is not named stays. */
  change({ from, to, ...line }: LineChange): void {
    const key = `${from} ${to}`
    this.#lines.set(key, { ...(this.#lines.get(key) ?? WELL), ...line })
  }

  /** After how many ms a frame arrives; undefined if it is lost. */
  delayOf(from: number, to: number): number | undefined {
    const { isCut, delayMs, loss } = this.#lines.get(`${from} ${to}`) ?? WELL
    return isCut || (loss > 0 && this.#chance.chance(loss)) ? undefined : delayMs
  }
}
