import { useState } from 'preact/hooks'
import { UNLIMITED } from '../form/values.ts'
import { asRefusal, type GatehouseError } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'
import { announce } from '../view/toasts.tsx'
import { type Limit, wordsOfLimit } from './limits.ts'

/** What all doors can be set to at once: how often is typed for each. */
const LIMITS = [1, UNLIMITED, undefined]

/** A door at which a right of a category is stored. */
export interface DoorRight {
  limit: Limit | undefined
  save: (limit: Limit | undefined, wanted: number | undefined, deleted?: Limit) => Promise<Limit | undefined>
}

interface Props {
  /** The category. */
  name: string
  doors: readonly DoorRight[]
  /** Called when the rights at the doors are others than before. */
  onSet: () => void
}

/** Gives guests of a category the same right at all doors. */
export function Everywhere({ name, doors, onSet }: Props) {
  const { say } = useConsole()
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<GatehouseError>()
  const set = async (wanted: number | undefined): Promise<void> => {
    const changed: { door: DoorRight; now: Limit | undefined }[] = []
    setSending(true)
    setError(undefined)
    try {
      for (const door of doors)
        if (door.limit?.max_allowed_accesses !== wanted)
          changed.push({ door, now: await door.save(door.limit, wanted) })
      const undo = async (): Promise<void> => {
        for (const { door, now } of changed) await door.save(now, door.limit?.max_allowed_accesses, door.limit)
        onSet()
      }
      announce(
        `${name} · ${say('rights_everywhere')}: ${wordsOfLimit(say, wanted)}`,
        changed.length > 0 ? undo : undefined,
      )
    } catch (problem) {
      setError(asRefusal(problem))
    }
    setSending(false)
    onSet()
  }
  return (
    <>
      <select
        aria-label={`${name}: ${say('rights_everywhere')}`}
        value=""
        disabled={isSending}
        onChange={({ currentTarget }) => {
          const wanted = LIMITS[currentTarget.selectedIndex - 1]
          currentTarget.value = ''
          void set(wanted)
        }}
      >
        <option value="">{say('rights_set_all')}</option>
        {LIMITS.map((limit) => (
          <option key={String(limit)} value={String(limit)}>
            {wordsOfLimit(say, limit)}
          </option>
        ))}
      </select>
      {error && <Problem error={error} />}
    </>
  )
}
