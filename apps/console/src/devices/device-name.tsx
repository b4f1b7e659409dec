import type { Item } from '../server/server.ts'
import { named } from '../texts/words.ts'
import { useConsole } from '../view/console.ts'

/** What a device is called, and whether it is a scanner or a printer: in two lines where columns are narrow. */
export function DeviceName({ item: { name, kind } }: { item: Item }) {
  const { say } = useConsole()
  return (
    <>
      {String(name)} <span class="quiet">{named(say, 'choice', String(kind))}</span>
    </>
  )
}
