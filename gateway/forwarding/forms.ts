import { Fault } from '@gatehouse/proto/declaring/faults.ts'

/** Levels of brackets after a name. */
const MAX_DEPTH = 6

/** What a form holds under a name: a value, several values, or a branch of further names. */
type FormValue = string | string[] | Branch

class Branch {
  readonly members = new Map<string, FormValue>()
  /** The names that an item of a list already has. */
  readonly given = new Set<string>()
}

/**
 * Reads a form as Rails and PHP write it: `guest[first_name]=Ada&guest[guest_metadata][][name]=job&guest[guest_metadata][][value]=poet`.
 * In `list[][name]` a repeated name begins the next item; `list[0][name]` numbers the items. Throws `malformed` (400) for a name with too
 * many brackets. The time is linear in the form's length; that of the usual library (qs) is quadratic in a list's length.
 */
export function readForm(form: string): Record<string, unknown> {
  const root = new Branch()
  for (const [name, value] of new URLSearchParams(form)) {
    if (name !== '') put(root, segmentsOf(name), value)
  }
  return objectOf(root)
}

/** `guest[guest_metadata][][name]` → guest, guest_metadata, empty, name. A name with other brackets stays as it is. */
function segmentsOf(name: string): string[] {
  if (!/^[^[\]]+(?:\[[^[\]]*\])*$/.test(name)) return [name]
  const segments = name.split('[').map((segment) => segment.replace(']', ''))
  if (segments.length > MAX_DEPTH + 1) throw new Fault('malformed', `A form may be at most ${MAX_DEPTH} levels deep`)
  return segments
}

function put(root: Branch, segments: string[], value: string): void {
  let branch = root
  const last = segments.length - 1
  for (const [index, segment] of segments.entries()) {
    if (index < last) {
      branch = segment === '' ? itemOf(branch, segments.slice(index + 1)) : branchOf(branch, segment)
      continue
    }
    const name = segment === '' ? String(branch.members.size) : segment
    const held = branch.members.get(name)
    if (Array.isArray(held)) held.push(value)
    else branch.members.set(name, typeof held === 'string' ? [held, value] : value)
  }
}

function branchOf({ members }: Branch, name: string): Branch {
  const held = members.get(name)
  if (held instanceof Branch) return held
  const branch = new Branch()
  members.set(name, branch)
  return branch
}

/** The item of a list that a name belongs to: the last one, or a new one if the last already has that name. */
function itemOf(list: Branch, rest: string[]): Branch {
  const name = rest.join('[')
  const last = list.members.get(String(list.members.size - 1))
  const isLast = last instanceof Branch && !last.given.has(name)
  const item = isLast ? last : branchOf(list, String(list.members.size))
  // `tags[]` may repeat within an item.
  if (rest.at(-1) !== '') item.given.add(name)
  return item
}

function plainOf(held: FormValue): unknown {
  if (!(held instanceof Branch)) return held
  const names = [...held.members.keys()]
  return names.length > 0 && names.every((name) => /^\d+$/.test(name)) ? listOf(held) : objectOf(held)
}

function listOf({ members }: Branch): unknown[] {
  const items = [...members].sort(([one], [other]) => Number(one) - Number(other))
  return items.map(([, held]) => plainOf(held))
}

function objectOf({ members }: Branch): Record<string, unknown> {
  return Object.fromEntries(Array.from(members, ([name, held]) => [name, plainOf(held)]))
}
