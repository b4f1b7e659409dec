import { useEffect, useState } from 'preact/hooks'
import { asRefusal, client, type GatehouseError, remove } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { Problem } from '../view/problem.tsx'

interface Begun {
  _id: string
  title: string
}

/** Imports of archives that were begun and are not finished: they can go on, or be deleted. */
export function BegunImports() {
  const { say } = useConsole()
  const [begun, setBegun] = useState<readonly Begun[]>([])
  const [asking, setAsking] = useState<string>()
  const [error, setError] = useState<GatehouseError>()
  const load = async (): Promise<void> => {
    const { data } = await client.GET('/api/v1/event_imports.json', {})
    setBegun(data ?? [])
  }
  const trying = (work: () => Promise<void>): void => {
    setError(undefined)
    work().catch((problem) => setError(asRefusal(problem)))
  }
  useEffect(() => trying(load), [])
  const drop = async (id: string): Promise<void> => {
    await remove('/api/v1/event_imports/{id}.json', { id })
    setAsking(undefined)
    await load()
  }
  if (error) return <Problem error={error} retry={() => trying(load)} />
  if (begun.length === 0) return null
  return (
    <section class="notice" aria-label={say('bring_archive_begun')}>
      <h2>{say('bring_archive_begun')}</h2>
      <p>{say('bring_archive_begun_text')}</p>
      <ul class="rows">
        {begun.map(({ _id, title }) => (
          <li key={_id}>
            <strong>{title}</strong>{' '}
            {asking === _id && <span role="alert">{say('bring_archive_begun_asks', { title })} </span>}
            <button
              type="button"
              class="second alarming"
              aria-label={`${say('delete')}: ${title}`}
              onClick={() => (asking === _id ? trying(() => drop(_id)) : setAsking(_id))}
            >
              {say('delete')}
            </button>
            {asking === _id && (
              <button type="button" class="second" onClick={() => setAsking(undefined)}>
                {say('cancel')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
