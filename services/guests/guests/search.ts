import { MAX_WORD, queryWords, wordsOf } from '@gatehouse/proto/storage/search-words.ts'
import { fold } from '@gatehouse/proto/storage/text-folding.ts'

/** Searching guests: which words a guest is found by, and what a query means. */

/** The fields that are searched, in the order people think of them. */
const searchedFields = ['first_name', 'last_name', 'company_name', 'position', 'email', 'phone_number', 'uid'] as const

type Searched = Record<(typeof searchedFields)[number], string | null>

/** A word of one field alone. No other word has letters and a colon, so it meets none. */
function fieldWord(field: string, word: string): string {
  return `${field}:${word}`
}

/** Fields that a query can ask for by name: `company_name:acme`. */
const namedFields = ['company_name', 'position'] as const

/** What a guest is found by: the words of its fields, its phone's digits as one word, and the words of the named fields again. */
export function searchWords(guest: Searched): string[] {
  const words = searchedFields.flatMap((field) => wordsOf(guest[field] ?? ''))
  const digits = (guest.phone_number ?? '').replace(/\D/g, '')
  if (digits) words.push(digits.slice(0, MAX_WORD))
  const named = namedFields.flatMap((field) => wordsOf(guest[field] ?? '').map((word) => fieldWord(field, word)))
  return [...new Set([...words, ...named])]
}

/** What guests are sorted by where last names are asked for. */
export function sortName({ last_name, first_name }: Pick<Searched, 'last_name' | 'first_name'>): string {
  return fold(`${last_name ?? ''}\t${first_name ?? ''}`).slice(0, 2 * MAX_WORD)
}

/** A search query as read. */
export interface Search {
  /** Each must begin a search word of the guest. */
  prefixes: string[]
  /** rsvp_status values, where `status:` was given. */
  statuses: string[] | undefined
  /** By last name, where `sort:` was given. */
  sort: 'asc' | 'desc' | undefined
}

const TOKENS = /(?:(\w+):)?(?:"([^"]*)"|(\S+))/g

/**
 * Reads a query: words, and the forms `status:a,b`, `sort:lastname-asc`, `sort:lastname-desc`, `company_name:x`, `position:x`, where
 * x may be in quotes. A form that is none of these is a word like any other.
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
  // The longest first: it leaves the fewest guests to look at.
  search.prefixes = [...new Set(search.prefixes)].sort((a, b) => b.length - a.length)
  return search
}
