import { MAX_WORD, queryWords, wordsOf } from '@gatehouse/proto/storage/search-words.ts'
import { fold } from '@gatehouse/proto/storage/text-folding.ts'
import { type GuestFields, namedFields, searchedFields } from './resource.ts'

/** Searching guests: which words a guest is found by, and what a query means. */

type Searched = Partial<Record<(typeof searchedFields)[number], string | null> & Pick<GuestFields, 'guest_metadata'>>

/**
 * The words of a guest's metadata that it is found by, at most: a guest of the largest metadata would have more index entries than a thousand
 * others. Those of the shortest values come first, so that a long text does not hide a number.
 */
const MAX_METADATA_WORDS = 500

/** Increase it when the same texts give other words or another order: those of stored guests are then renewed. */
const FOLDING = 1

/** What stored words follow from. When it changes, they are renewed (search-migration.ts). */
export const SEARCH_RULE = `folding ${FOLDING}, searched: ${searchedFields.join(' ')} ${MAX_METADATA_WORDS} of guest_metadata, named: ${namedFields.join(' ')}, status, long names`

/** A word of one field. It equals no other word, since others do not have both letters and a colon. */
function fieldWord(field: string, word: string): string {
  return `${field}:${word}`
}

/**
 * The words that a guest is found by: those of its searched fields, its phone's digits as one word, those of the named fields again, and those
 * of its metadata.
 */
export function searchWords(guest: Searched): string[] {
  const words = searchedFields.flatMap((field) => wordsOf(guest[field] ?? ''))
  const digits = (guest.phone_number ?? '').replace(/\D/g, '')
  if (digits) words.push(digits.slice(0, MAX_WORD))
  const named = namedFields.flatMap((field) => wordsOf(guest[field] ?? '').map((word) => fieldWord(field, word)))
  return [...new Set([...words, ...named, ...metadataWords(guest)])]
}

function metadataWords({ guest_metadata = [] }: Searched): Set<string> {
  const texts = guest_metadata.flatMap(({ value }) => (typeof value === 'string' ? value : []))
  const values = texts.sort((a, b) => a.length - b.length)
  const words = new Set<string>()
  for (const value of values) {
    if (words.size >= MAX_METADATA_WORDS) break
    for (const word of wordsOf(value, MAX_METADATA_WORDS - words.size)) words.add(word)
  }
  return words
}

/** What guests are sorted by in the order of last names. */
export function sortName({ last_name, first_name }: Pick<Searched, 'last_name' | 'first_name'>): string {
  return fold(`${last_name ?? ''}\t${first_name ?? ''}`).slice(0, 2 * MAX_WORD)
}

/** Names from this length on are long: few guests have one. */
export const LONG_NAME = 25

/** How long a guest's name is, if it is a long one. */
export function longName(name: Pick<Searched, 'last_name' | 'first_name'>): number | null {
  const { length } = sortName(name)
  return length < LONG_NAME ? null : length
}

/** A search query as read. */
export interface Search {
  /** Each must begin a search word of the guest. */
  prefixes: string[]
  /** The values of `status:`, if given. */
  statuses: string[] | undefined
  /** What `sort:` names, if given. */
  sort: { by: 'lastname' | 'registered'; direction: 'asc' | 'desc' } | undefined
  /** The whole query, which may be the code of a guest, also in capitals or small letters; none if it says more than words. */
  codes: string[]
}

const TOKENS = /(?:(\w+):)?(?:"([^"]*)"|(\S+))/g

const SORT = /^(lastname|registered)-(asc|desc)$/

/**
 * Reads a query: words, and the forms `status:a,b`, `sort:lastname-asc`, `sort:registered-desc` and `field:x` of the named fields; a value
 * may be in quotes. Any other form is a word.
 */
export function readSearch(query: string): Search {
  const search: Search = { prefixes: [], statuses: undefined, sort: undefined, codes: [] }
  for (const [whole, name, quoted, plain] of query.matchAll(TOKENS)) {
    const value = quoted ?? plain ?? ''
    const [, by, direction] = SORT.exec(value) ?? []
    if (name === 'status') search.statuses = value.split(',').filter(Boolean)
    else if (name === 'sort' && by) search.sort = { by, direction } as Search['sort']
    else if (namedFields.some((field) => field === name)) {
      search.prefixes.push(...queryWords(value).map((word) => fieldWord(String(name), word)))
    } else search.prefixes.push(...queryWords(whole))
  }
  const code = query.trim()
  if (code && !search.statuses && !search.sort)
    search.codes = [...new Set([code, code.toUpperCase(), code.toLowerCase()])]
  // The longest first, since fewest guests match it.
  search.prefixes = [...new Set(search.prefixes)].sort((a, b) => b.length - a.length)
  return search
}
