/**
 * Fields that a stored document lacks, or holds in a shape that is not declared: documents of earlier versions. Answers have something else in
 * their place; an operator learns here which ones.
 */
export interface Gap {
  /** The `_id` of the document. */
  document: string | undefined
  /** The path of the field: `audit_record.changed_fields`. */
  field: string
}

/** The most documents that are named of each field. */
const MOST = 10

const told = new Map<string, Set<string | undefined>>()
let tell: (gap: Gap) => void = () => {}

/** Has this process tell of each gap once, of a few documents for each field. */
export function tellGaps(to: (gap: Gap) => void): void {
  told.clear()
  tell = to
}

/** Notes that a document has no usable value of a field. */
export function noteGap(gap: Gap): void {
  const documents = told.getOrInsertComputed(gap.field, () => new Set())
  if (documents.size >= MOST || documents.has(gap.document)) return
  documents.add(gap.document)
  tell(gap)
}
