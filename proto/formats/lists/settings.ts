import type { Message } from '../../declaring/messages.ts'
import type { TextEncoding } from './encodings.ts'
import type { IsKnown } from './form.ts'
import type { ListLimits, ListRow } from './rows.ts'
import type { Slice } from './slices.ts'

/** How a list is read: a text in its encoding, or a sheet of a workbook; and what is to be said about that. */
export interface ListForm {
  /** Of a text: by a name of the web, and the language that told it. */
  text?: TextEncoding & { delimiter: string }
  /** Of a workbook. */
  workbook?: { sheet: string; sheets: string[] }
  headers: string[]
  /** Where the header is; undefined if there is none. */
  headerLine: number | undefined
  /** What is odd about the file, in sentences that begin with "The file". */
  notices: Message[]
}

/** How to read; what is not given is found out. */
export interface ListSettings {
  encoding?: string | undefined
  delimiter?: string | undefined
  /** The name of a sheet of a workbook. */
  sheet?: string | undefined
  /** The first row is no header. */
  headerless?: boolean | undefined
  limits?: ListLimits | undefined
  /** What a header means to whoever reads the list. */
  isKnown: IsKnown
  /** Runs a slice of the work; by default each has a turn of the event loop. */
  slice?: Slice | undefined
}

/** All rows of a file, with those of its header. */
export interface Table extends Pick<ListForm, 'text' | 'workbook' | 'notices'> {
  /** Those with which it begins. */
  first: ListRow[]
  rows(): AsyncGenerator<ListRow[]>
}
