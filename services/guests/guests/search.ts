import { MAX_WORD, queryWords, wordsOf } from '@gatehouse/proto/storage/search-words.ts'
import { fold } from '@gatehouse/proto/storage/text-folding.ts'
import { namedFields, searchedFields } from './resource.ts'

/** Searching guests: which words a guest is found by, and what a query means. */

type Searched = Partial<Record<(typeof searchedFields)[number], string | null>>

/** Increase it when the same texts give other words or another order: those of stored guests are then renewed. */
const FOLDING = 1

/** What stored words follow from. When it changes, they are renewed (search-migration.ts). */
export const SEARCH_RULE = `folding ${FOLDING}, searched: ${searchedFields.join(' ')}, named: ${namedFields.join(' ')}`

/** A word of one field. It equals no other word, since others do not have both letters and a colon. */
function fieldWord(field: string, word: string): string {
  return `${field}:${word}`
}

/** The words which a guest is found by: those of its searched fields, its phone's digits as one word, and those of the named fields again. */
export function searchWords(guest: Searched): string[] {
  const words = searchedFields.flatMap((field) => wordsOf(guest[field] ?? ''))
  const digits = (guest.phone_number ?? '').replace(/\D/g, '')
  if (digits) words.push(digits.slice(0, MAX_WORD))
  const named = namedFields.flatMap((field) => wordsOf(guest[field] ?? '').map((word) => fieldWord(field, word)))
  return [...new Set([...words, ...named])]
}

/** What guests are sorted by in the order of last names. */
export function sortName({ last_name, first_name }: Pick<Searched, 'last_name' | 'first_name'>): string {
  return fold(`${last_name ?? ''}\t${first_name ?? ''}`).slice(0, 2 * MAX_WORD)
}

/** A search query as read. */
export interface Search {
  /** Each must begin a search word of the guest. */
  prefixes: string[]
  /** The values of `status:`, if given. */
  statuses: string[] | undefined
  /** The direction of `sort:lastname-`, if given. */
  sort: 'asc' | 'desc' | undefined
}

const TOKENS = /(?:(\w+):)?(?:"([^"]*)"|(\S+))/g

/**
 * Reads a query: words, and the forms `status:a,b`, `sort:lastname-asc`, `sort:lastname-desc` and `field:x` of the named fields; a value
 * may be in quotes. Any other form is a word.
 */
export function readSearch(query: string): Search {
  const search: Search = { prefixes: [], statuses: undefined, sort: undefined }
  for (const [whole, name, quoted, plain] of query.matchAll(TOKENS)) {
    const value = quoted ?? plain ?? ''
    const sort = /^lastname-(asc|desc)$/.exec(value)?.[1] as Search['sort']
    if (name === 'status') search.statuses = value.split(',').filter(Boolean)
    else if (name === 'sort' && sort) search.sort = sort
    else if (namedFields.some((field) => field === name)) {
      search.prefixes.push(...queryWords(value).map((word) => fieldWord(String(name), word)))
    } else search.prefixes.push(...queryWords(whole))
  }
  // The longest first, since fewest guests match it.
  search.prefixes = [...new Set(search.prefixes)].sort((a, b) => b.length - a.length)
  return search
}
