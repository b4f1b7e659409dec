import { visible } from '../../declaring/visible.ts'
import { unescapeFormula } from './formulas.ts'
import { GUEST_METADATA_PREFIX, type GuestColumns } from './guest-columns.ts'

/** An entry of a guest's metadata. */
interface Metadatum {
  name: string
  value: string | null
}

/** A guest with what an export needs besides its fields. */
export interface ExportedGuest {
  guest_metadata?: readonly Metadatum[] | undefined
  access_privileges: readonly { accesspoint_id: string; access_once: boolean }[]
}

/** Columns for the metadata of guests: one for each name, and several for one that occurs several times in a guest. */
export class MetadataColumns {
  readonly #most = new Map<string, number>()

  /** Takes in a guest whose metadata need columns. */
  add({ guest_metadata = [] }: ExportedGuest): void {
    for (const [name, times] of countsOf(guest_metadata)) {
      this.#most.set(name, Math.max(this.#most.get(name) ?? 0, times))
    }
  }

  /** Headers that an import reads as metadata of these names. */
  headers(columns: GuestColumns): string[] {
    return [...this.#most].flatMap(([name, times]) =>
      Array.from({ length: times }, () => metadataHeader(columns, name)),
    )
  }

  /** The values of a guest. `onOther` is told of names that have no column, or too few. */
  cells({ guest_metadata = [] }: ExportedGuest, onOther: (name: string) => void = () => {}): string[] {
    const values = new Map<string, (string | null)[]>()
    for (const { name, value } of guest_metadata) values.set(name, [...(values.get(name) ?? []), value])
    for (const [name, all] of values) if (all.length > (this.#most.get(name) ?? 0)) onOther(name)
    return [...this.#most].flatMap(([name, times]) =>
      Array.from({ length: times }, (_, nth) => values.get(name)?.[nth] ?? ''),
    )
  }
}

function countsOf(metadata: readonly Metadatum[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { name } of metadata) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** A header that an import reads as metadata of this name. */
export function metadataHeader(columns: GuestColumns, name: string): string {
  const isPlain = unescapeFormula(visible(name)).normalize() === name && !columns.isKnown(name)
  return isPlain ? name : `${GUEST_METADATA_PREFIX}${name}`
}

/** The privileges of a guest as a cell, with the names of check-in points by id. */
export function privilegesCell({ access_privileges }: ExportedGuest, points: ReadonlyMap<string, string>): string {
  if (access_privileges.length === 0) return ''
  return JSON.stringify(
    access_privileges.map(({ accesspoint_id: id, access_once }) => ({
      accesspoint: points.get(id) ?? id,
      access_once,
    })),
  )
}
