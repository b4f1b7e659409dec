import { useState } from 'preact/hooks'
import type { ScanOutcome } from '../scanning/outcome.ts'
import type { ScannerSay } from '../texts/say.ts'
import type { ViewProps } from './props.ts'

/** What the server takes at once. */
const MOST_PERSONS = 500
const TOO_MANY = 3

/** Asks how many of a party come in, or how many of those who are left where too many were to; nothing of other results. */
export function PartyChoice({
  scanner,
  say,
  outcome,
  button = (persons) => say('let_in', { persons }),
}: ViewProps & { outcome: ScanOutcome; button?: (persons: number) => string }) {
  const { party, scan } = outcome
  const left = scan?.access_status === TOO_MANY ? (scan.persons_left ?? 0) : 0
  const most = party ? (party.persons_left ?? MOST_PERSONS) : left
  if (most === 0) return null
  const letIn = (persons: number) => {
    const scanned = outcome.scanned ?? scan?.guest_uid
    if (scanned) void scanner.letIn(scanned, persons)
  }
  const usual = Math.min(most, party?.party_size ?? most)
  return <PartyPicker say={say} most={most} usual={usual} button={button} letIn={letIn} />
}

interface Props {
  say: ScannerSay
  /** How many may come in at most. */
  most: number
  /** How many come in unless the steward changes that. */
  usual: number
  /** What the button says that lets so many in. */
  button: (persons: number) => string
  letIn: (persons: number) => void
}

/** The number of persons, and what changes it. */
function PartyPicker({ say, most, usual, button, letIn }: Props) {
  const [persons, setPersons] = useState(usual)
  return (
    <div class="party">
      <button
        type="button"
        class="second step"
        aria-label={say('fewer')}
        disabled={persons === 1}
        onClick={() => setPersons(persons - 1)}
      >
        −
      </button>
      <button type="button" onClick={() => letIn(persons)}>
        {button(persons)}
      </button>
      <button
        type="button"
        class="second step"
        aria-label={say('more')}
        disabled={persons === most}
        onClick={() => setPersons(persons + 1)}
      >
        +
      </button>
    </div>
  )
}
