import { useEffect, useState } from 'preact/hooks'
import { useQuery } from '../route/route.ts'
import { useConsole } from './console.ts'

/** How long typing has to rest before it is searched for. */
const REST_MS = 200
/** The parameter of a search, in the address and in the API. */
const SEARCH = 'search'

/** What is typed, and what is searched for. */
export interface Searching {
  typed: string
  setTyped: (text: string) => void
  /** The parameter of the list; none without a search. */
  query: Record<string, string>
}

/** A search of a list while someone types: what is searched for is in the address. */
export function useSearch(): Searching {
  const [{ [SEARCH]: search = '', ...others }, replace] = useQuery()
  const [typed, setTyped] = useState(search)
  useEffect(() => {
    if (typed.trim() === search) return undefined
    const next = { ...others, ...(typed.trim() && { [SEARCH]: typed.trim() }) }
    const timer = setTimeout(() => replace(next), REST_MS)
    return () => clearTimeout(timer)
  }, [typed, JSON.stringify(others)])
  // A view has its own search.
  useEffect(() => setTyped((before) => (before.trim() === search ? before : search)), [search])
  return { typed, setTyped, query: search === '' ? {} : { [SEARCH]: search } }
}

/** The field of a search. */
export function SearchField({ typed, setTyped, placeholder }: Searching & { placeholder: string }) {
  const { say } = useConsole()
  return (
    <input
      type="search"
      aria-label={say('search')}
      placeholder={placeholder}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  )
}
