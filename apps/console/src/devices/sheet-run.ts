import { patiently } from '../server/patience.ts'
import { type GatehouseError, type Item, newKey, post } from '../server/server.ts'
import { SteppedRun } from '../server/stepped-run.ts'

const ROLL = '/api/v1/events/{event_id}/devices/{id}/roll_code.json'
/** A device that was deleted meanwhile. */
const GONE = 404

/** A device that gets a code, under a key. */
interface Step {
  id: string
  key: string
}

/** Gives devices new codes for a sheet, some at a time. */
export class SheetRun extends SteppedRun<Step> {
  readonly #event_id: string
  readonly #code_hours: number
  readonly #ids: readonly string[]
  /** The devices with their codes, by id. */
  readonly #made = new Map<string, Item>()
  #gone = 0

  constructor(event_id: string, ids: readonly string[], code_hours: number, onChange: () => void) {
    super(
      ids.map((id) => ({ id, key: newKey() })),
      onChange,
    )
    this.#event_id = event_id
    this.#code_hours = code_hours
    this.#ids = ids
  }

  get count(): number {
    return this.#ids.length
  }

  /** How many devices are done. */
  get done(): number {
    return this.#made.size + this.#gone
  }

  get isOver(): boolean {
    return this.done === this.#ids.length
  }

  /** The devices with their codes, in the order of the list. */
  get devices(): Item[] {
    return this.#ids.map((id) => this.#made.get(id)).filter((each) => each !== undefined)
  }

  protected async take({ id, key }: Step, signal: AbortSignal): Promise<void> {
    const params = { event_id: this.#event_id, id }
    this.#made.set(id, await patiently(() => post(ROLL, params, { code_hours: this.#code_hours }, key), signal))
  }

  protected isSkipped(_step: Step, { status }: GatehouseError): boolean {
    if (status !== GONE) return false
    this.#gone++
    return true
  }
}
