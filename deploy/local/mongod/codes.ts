/** An error code of MongoDB with its name. */
export interface MongoErrorCode {
  code: number
  codeName: string
}

/** The codes of this server's own errors. */
export const CODES = {
  internal: { code: 1, codeName: 'InternalError' },
  badValue: { code: 2, codeName: 'BadValue' },
  unauthorized: { code: 13, codeName: 'Unauthorized' },
  authenticationFailed: { code: 18, codeName: 'AuthenticationFailed' },
  lockTimeout: { code: 24, codeName: 'LockTimeout' },
  cursorNotFound: { code: 43, codeName: 'CursorNotFound' },
  maxTime: { code: 50, codeName: 'MaxTimeMSExpired' },
  commandNotFound: { code: 59, codeName: 'CommandNotFound' },
  invalidOptions: { code: 72, codeName: 'InvalidOptions' },
  writeConflict: { code: 112, codeName: 'WriteConflict' },
  apiVersion: { code: 322, codeName: 'APIVersionError' },
  apiStrict: { code: 323, codeName: 'APIStrictError' },
  mechanismUnavailable: { code: 334, codeName: 'MechanismUnavailable' },
  tooLarge: { code: 10334, codeName: 'BSONObjectTooLarge' },
  duplicateKey: { code: 11000, codeName: 'DuplicateKey' },
  tooManySortFields: { code: 13103, codeName: 'Location13103' },
  diskFull: { code: 14031, codeName: 'OutOfDiskSpace' },
  unknownField: { code: 40415, codeName: 'IDLUnknownField' },
  negative: { code: 51024, codeName: 'Location51024' },
  emptyProjection: { code: 51272, codeName: 'Location51272' },
} as const satisfies Record<string, MongoErrorCode>

/**
 * DocumentDB's SQLSTATEs for MongoDB's codes: M and a number of its own in base 36. This table has the general codes; the many others, each for an
 * operand of one expression, become BadValue.
 */
const DOCUMENTDB = table(`
  M0000 1 InternalError|M0001 2 BadValue|M0002 5 GraphContainsCycle|M0003 9 FailedToParse|M0004 14 TypeMismatch|M0005 15 Overflow
  M0006 20 IllegalOperation|M0008 26 NamespaceNotFound|M0009 27 IndexNotFound|M000A 28 PathNotViable
  M000C 34 CannotBackfillArray|M000D 40 ConflictingUpdateOperators|M000E 43 CursorNotFound|M000F 48 NamespaceExists
  M000G 52 DollarPrefixedFieldName|M000H 53 CannotBeTypeArray|M000I 54 NotSingleValueField|M000J 56 EmptyFieldName
  M000K 57 DottedFieldName|M000L 61 ShardKeyNotFound|M000M 66 ImmutableField|M000N 67 CannotCreateIndex
  M000O 68 IndexAlreadyExists|M000P 72 InvalidOptions|M000Q 73 InvalidNamespace|M000R 85 IndexOptionsConflict
  M000S 86 IndexKeySpecsConflict|M000T 111 NotExactValueField|M000U 115 CommandNotSupported|M000W 146 ExceededMemoryLimit
  M000Z 166 CommandNotSupportedOnView|M0011 181 AmbiguousIndexKeyPattern|M0012 197 InvalidIndexSpecificationOption
  M0013 224 QueryFeatureNotAllowed|M0015 241 ConversionFailure|M0016 263 OperationNotSupportedInTransaction
  M0017 276 IndexBuildAborted|M0018 291 NoQueryExecutionPlans|M001B 10334 BSONObjectTooLarge|M001C 11000 DuplicateKey
  M001H 13113 MergeStageNoMatchingDocument|M0088 40415 IDLUnknownField|M007U 40324 UnrecognizedPipelineStage
  M00CO 121 DocumentValidationFailure|M00DO 16 InvalidLength|M00EW 24 LockTimeout|M00EX 50 MaxTimeMSExpired|M00F1 112 WriteConflict`)

/** PostgreSQL's own SQLSTATEs with a counterpart. */
const POSTGRES = table(`
  23505 11000 DuplicateKey|23P01 11000 DuplicateKey|57014 50 MaxTimeMSExpired|55P03 24 LockTimeout|40001 112 WriteConflict
  40P01 112 WriteConflict|53100 14031 OutOfDiskSpace|53200 146 ExceededMemoryLimit|42501 13 Unauthorized`)

/** MongoDB's code for an SQLSTATE. */
export function codeOf(sqlstate: string): MongoErrorCode {
  const known = DOCUMENTDB.get(sqlstate) ?? POSTGRES.get(sqlstate)
  return known ?? (sqlstate.startsWith('M') ? CODES.badValue : CODES.internal)
}

/** Decodes a number that is too large for a MongoDB code: an SQLSTATE with six bits a character, the first one lowest. */
export function unpackCode(code: number): MongoErrorCode | undefined {
  if (code < 1 << 24) return undefined
  let state = ''
  for (let rest = code, i = 0; i < 5; i++, rest = Math.floor(rest / 64)) state += String.fromCharCode((rest % 64) + 48)
  return codeOf(state)
}

function table(text: string): Map<string, MongoErrorCode> {
  const rows = text.trim().split(/\s*[|\n]\s*/)
  return new Map(
    rows.map((row) => {
      const [state = '', code = '', codeName = ''] = row.split(' ')
      return [state, { code: Number(code), codeName }]
    }),
  )
}
