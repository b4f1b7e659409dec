import type { DrawnLine, Points } from './signature.ts'

/** The API takes no more. */
const MAX_LINES = 5_000
/** Shorter lines, in pixels, show nothing more. */
const SHORTEST = 1
/** The width of a line where the pen does not say how hard it is pressed. */
const WIDTH = 2

/** A place of the pen, and how wide it draws there. */
export interface PenPoint {
  x: number
  y: number
  width: number
}

/** The lines that are drawn on an area, as long as it takes any. */
export class Drawing {
  readonly #width: number
  readonly #height: number
  readonly #lines: DrawnLine[] = []
  #last: PenPoint | undefined
  #isDot = false

  constructor(width: number, height: number) {
    this.#width = width
    this.#height = height
  }

  get points(): Points {
    return { width: numeric(this.#width), height: numeric(this.#height), lines: [...this.#lines] }
  }

  /** Puts the pen down. */
  lower(mark: PenPoint): void {
    this.#last = mark
    this.#isDot = true
  }

  /** Moves the pen, and returns the line that the move draws, if any. */
  move(mark: PenPoint): DrawnLine | undefined {
    const last = this.#last
    if (!last || Math.hypot(mark.x - last.x, mark.y - last.y) < SHORTEST) return undefined
    this.#isDot = false
    this.#last = mark
    return this.#add(last, mark)
  }

  /** Lifts the pen. Where it was not moved that leaves a dot, which is given. */
  lift(): DrawnLine | undefined {
    const last = this.#last
    this.#last = undefined
    return last && this.#isDot ? this.#add(last, last) : undefined
  }

  #add(from: PenPoint, to: PenPoint): DrawnLine | undefined {
    if (this.#lines.length === MAX_LINES) return undefined
    const line = {
      x1: numeric(from.x),
      y1: numeric(from.y),
      x2: numeric(to.x),
      y2: numeric(to.y),
      'stroke-width': numeric(to.width),
    }
    this.#lines.push(line)
    return line
  }
}

/** How wide a pointer draws: a pen by how hard it is pressed. */
export function widthOf({ pointerType, pressure }: { pointerType: string; pressure: number }): number {
  return pointerType === 'pen' ? WIDTH * (0.5 + pressure) : WIDTH
}

/** A number with one decimal place, as the API has them. */
function numeric(value: number): string {
  return String(Math.round(value * 10) / 10)
}
