import type { CellProps } from '../resources/resource.ts'
import { named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'

/** What a webhook is told, in words; one that names no types is told everything. */
export function EventTypes({ item: { event_types } }: CellProps) {
  const { say } = useConsole()
  if (!Array.isArray(event_types) || event_types.length === 0) return <>{say('webhook_everything')}</>
  return <>{event_types.map((type) => named(say, 'choice', String(type))).join(', ')}</>
}
