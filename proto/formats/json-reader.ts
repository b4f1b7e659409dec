import { isUtf8 } from 'node:buffer'
import { _, Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TObject, TSchema } from 'typebox'
import { Fault, type FieldErrors } from '../declaring/faults.ts'
import {
  codeOfPattern,
  isNullable,
  kindOf,
  mayBeText,
  type OldName,
  PLAIN_NAME,
  type SchemaNode,
  SHORT,
} from '../declaring/fields.ts'
import { type Message, messageOf } from '../declaring/messages.ts'
import { visible } from '../declaring/visible.ts'

/**
 * Reads input by its schema in two steps: `shape` converts strings, old names and wrappings to what the schema declares and drops undeclared
 * members; then Ajv validates. Both are compiled once per schema.
 */

type ShapeReader = (input: unknown) => unknown

/** Makes the shape of a field. What comes `fromOutside` loses what nobody sees; what services tell each other is as it is stored. */
type ShapeMaker = (schema: SchemaNode, fromOutside: boolean) => ShapeReader

/** The usual form of programs. */
const WHOLE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i
const ZONED = /(?:Z|[+-]\d{2}:?\d{2})$/i

/** Reads an ISO 8601 date or date-time (UTC without an offset); undefined for anything else and for impossible days. */
export function readDateTime(input: string): Date | undefined {
  const whole = WHOLE.test(input) ? input : wholeOf(input.trim())
  if (whole === undefined) return undefined
  const moment = new Date(whole)
  return Number.isNaN(moment.getTime()) || !isDay(whole) ? undefined : moment
}

/** A date or date-time in a spelling that Date reads reliably; undefined if it is neither. */
function wholeOf(value: string): string | undefined {
  if (!ISO.test(value)) return undefined
  const [day, hours] = [value.slice(0, 10), value.slice(11)]
  if (hours === '') return day
  return `${day}T${hours.replace(',', '.')}${ZONED.test(hours) ? '' : 'Z'}`
}

/** Whether the day of a date-time exists; Date reads `2026-02-31` as 3 March. */
function isDay(text: string): boolean {
  const day = Number(text.slice(8, 10))
  return day <= 28 || day <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
}

const shapes: Record<string, ShapeMaker> = {
  string: ({ verbatim }, fromOutside) => {
    const isStripped = fromOutside && !verbatim
    return (input) => {
      // Half of a surrogate pair (a cut emoji) is stored as U+FFFD; answers and searches must equal the stored text.
      if (typeof input === 'string') return (isStripped ? visible(input) : input).toWellFormed()
      return typeof input === 'number' || typeof input === 'boolean' || isWritten(input) ? String(input) : input
    }
  },
  integer: ({ cappedAt }) => (cappedAt === undefined ? readNumber : (input) => capped(readNumber(input), cappedAt)),
  number: () => readNumber,
  boolean: () => (input) => {
    const word = typeof input === 'string' ? visible(input).toLowerCase() : input
    if (YES.has(word)) return true
    if (NO.has(word)) return false
    // An empty form control or XML element is no value.
    return word === '' ? undefined : input
  },
  datetime: (schema) => (input) => {
    if (schema.unix && (typeof input === 'number' || (typeof input === 'string' && /^\d{1,12}$/.test(input)))) {
      return new Date(Number(input) * 1000)
    }
    return typeof input === 'string' ? (readDateTime(input) ?? input) : input
  },
  any: () => (input) => plainNumbers(input),
  array: (schema, fromOutside) => {
    const item = shapeOf(schema.items ?? {}, fromOutside)
    // One item too many is enough for a refusal.
    const most = Number(schema.maxItems ?? Number.POSITIVE_INFINITY) + 1
    return (input) => {
      if (typeof input === 'string' && visible(input) === '') return []
      if (Array.isArray(input)) return input.slice(0, most).map(item)
      if (schema.fromObject && isObject(input)) {
        const [key, value] = schema.fromObject
        return Object.entries(input)
          .slice(0, most)
          .map(([name, held]) => item({ [key]: name, [value]: held }))
      }
      return input
    }
  },
  object: (schema, fromOutside) => (schema.free ? shapeOfFree(schema) : shapeOfRecord(schema, fromOutside)),
}

/** An empty form control or XML element is an empty object, unless the field may be a text, which is kept as it came. */
function shapeOfFree(schema: SchemaNode): ShapeReader {
  const isText = mayBeText(schema)
  return (input) => {
    if (typeof input === 'string' && isText) return input.toWellFormed()
    return typeof input === 'string' && input.trim() === '' ? {} : plainNumbers(input)
  }
}

function shapeOf(schema: SchemaNode, fromOutside: boolean): ShapeReader {
  const make = shapes[kindOf(schema)]
  if (!make) return (input) => input
  const shape = make(schema, fromOutside)
  // An empty form control or XML element means "no value" unless the field is a string.
  const emptyIsNull = isNullable(schema) && kindOf(schema) !== 'string'
  const takesDigits = kindOf(schema) === 'string' || kindOf(schema) === 'any' || schema.free === true
  return (input) => {
    if (emptyIsNull && typeof input === 'string' && visible(input) === '') return null
    return shape(isWritten(input) && !takesDigits ? input.value : input)
  }
}

function shapeOfRecord(schema: SchemaNode, fromOutside: boolean): ShapeReader {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    shape: shapeOf(field, fromOutside),
    formerly: field.formerly ?? [],
  }))
  const declared = new Set(fields.flatMap(({ name, formerly }) => [name, ...formerly.map((old) => old.name)]))
  return (input) => {
    if (!isObject(input)) return input
    const output: Record<string, unknown> = {}
    if (schema.others) {
      for (const [name, held] of Object.entries(input)) {
        if (!PLAIN_NAME.test(name) || declared.has(name)) continue
        const value = isWritten(held) ? String(held) : held
        output[name] = fromOutside && typeof value === 'string' ? visible(value) : value
      }
    }
    for (const { name, shape, formerly } of fields) {
      const old = Object.hasOwn(input, name) ? undefined : formerly.find((each) => Object.hasOwn(input, each.name))
      if (!old && !Object.hasOwn(input, name)) continue
      const value = shape(old ? translated(old, input[old.name]) : input[name])
      if (value !== undefined) output[name] = value
    }
    return output
  }
}

/** The value of an old name, translated. */
function translated({ values }: OldName, held: unknown): unknown {
  const word = typeof held === 'object' ? undefined : String(held)
  return word !== undefined && values && Object.hasOwn(values, word) ? values[word] : held
}

/**
 * A number of JSON text whose digits a double does not give back: `10853738742371098624`, `1.10`, `1e5`. Where a text is meant they are what was
 * meant; two guests' codes must not become one.
 */
class WrittenNumber {
  readonly value: number
  readonly #source: string

  constructor(value: number, source: string) {
    this.value = value
    this.#source = source
  }

  toString(): string {
    return this.#source
  }

  toJSON(): number {
    return this.value
  }
}

function isWritten(input: unknown): input is WrittenNumber {
  return typeof input === 'object' && input instanceof WrittenNumber
}

/** Where a number may change: it is long, ends in a zero behind the point, is very small, or has an exponent. Without any no reviver is needed. */
const MAY_CHANGE = /(?:^|[[:,])\s*-?(?:[\d.]{16,}|\d+\.\d*0|0\.0{6}\d*|[\d.]+[eE][+-]?\d+|(?<=-)0)\s*(?:[,\]}]|$)/

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isSame = typeof value !== 'number' || context?.source === undefined || context.source === String(value)
  return isSame ? value : new WrittenNumber(value, context.source as string)
}

/** A value of a client's own: numbers of too many digits are kept as texts. What is nested more deeply is refused (`isStorable`). */
function plainNumbers(value: unknown, levels = FREE_LEVELS + 2): unknown {
  if (typeof value !== 'object' || value === null || levels === 0) return value
  if (isWritten(value))
    return Number.isInteger(value.value) && !Number.isSafeInteger(value.value) ? String(value) : value.value
  // Nearly no value has such numbers: what is parsed stays as it is.
  for (const [name, held] of Object.entries(value)) {
    const plain = plainNumbers(held, levels - 1)
    if (plain !== held) (value as Record<string, unknown>)[name] = plain
  }
  return value
}

const YES = new Set<unknown>(['true', '1', 'on', 'yes', 't', 'y', true, 1])
const NO = new Set<unknown>(['false', '0', 'off', 'no', 'f', 'n', false, 0])

function readNumber(input: unknown): unknown {
  return typeof input === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(input) ? Number(input) : input
}

/** A whole number, or the cap if it is greater. */
function capped(input: unknown, cap: number): unknown {
  return typeof input === 'number' && input === Math.trunc(input) ? Math.min(input, cap) : input
}

/** Whether a JSON value is an object, not a list, null or a scalar. */
export function isObject(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

/** Of a moment that may be null. */
const OR_NULL = 'or null'

/** Control characters of a text that may have lines and tabs, and of one that may not. NUL has a rule of its own. */
const CONTROLS = /(?![\t\n\r\0])\p{Cc}/u
const CONTROLS_OF_A_LINE = /(?!\0)\p{Cc}/u

/** Whether a text that may have lines and tabs has other control characters. */
export function hasControls(text: string): boolean {
  return CONTROLS.test(text)
}

/** Stops at the first error, so that no input is expensive to refuse. */
const firstErrorAjv = makeAjv({ allErrors: false })
/** Finds every error of small inputs. */
const allErrorsAjv = makeAjv({ allErrors: true })

function makeAjv(options: { allErrors: boolean }): Ajv {
  // Declarations are checked by types and tests. Ajv would compile the schema of schemas first, a tenth of the start of a process.
  const unchecked = { meta: false, validateSchema: false }
  const ajv = new Ajv({ ...options, ...unchecked, useDefaults: true, strict: false, strictNumbers: true })
  addFormats.default(ajv)
  // As code: Ajv would create a context object for each call of a function.
  ajv.addKeyword({
    keyword: 'moment',
    code: (check) => {
      const wrong = _`!(${check.data} instanceof Date) || Number.isNaN(${check.data}.getTime())`
      check.fail(check.schema === OR_NULL ? _`${check.data} !== null && (${wrong})` : wrong)
    },
  })
  ajv.addKeyword({
    keyword: 'maxBytes',
    validate: (limit: number, data: unknown) => sizeOf(data) <= limit,
    error: { message: 'is too large', params: ({ schema }) => _`{limit: ${schema}}` },
  })
  ajv.addKeyword({
    keyword: 'seen',
    code: (check) => {
      const hasNul = check.gen.scopeValue('func', { ref: hasNulInside })
      check.fail(_`typeof ${check.data} === "string" && ${check.data}.includes("\\0") && ${hasNul}(${check.data})`)
    },
  })
  ajv.addKeyword({
    keyword: 'controlled',
    code: (check) => {
      const controls = check.gen.scopeValue('pattern', { ref: check.schema === 'line' ? CONTROLS_OF_A_LINE : CONTROLS })
      check.fail(_`typeof ${check.data} === "string" && ${controls}.test(${check.data})`)
    },
  })
  ajv.addKeyword({ keyword: 'free', validate: (_: unknown, data: unknown) => isStorable(data, FREE_LEVELS) })
  return ajv
}

/** The size of a value as JSON, in bytes; infinite for one that is nested too deeply. */
function sizeOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Levels of a free object. */
const FREE_LEVELS = 8

/** Whether a free object can be stored: few levels, and no key that a database reads as an operator or a path. */
function isStorable(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  return Object.entries(value).every(
    ([key, held]) => !/^\$|\.|\0|^__proto__$|^$/.test(key) && isStorable(held, levels - 1),
  )
}

/** Whether a text has a NUL that is not at an end: no database would find it again. */
function hasNulInside(text: string): boolean {
  return visible(text).includes('\0')
}

/** The schema for Ajv after shaping: moments are Dates. */
function checked(schema: SchemaNode, fromOutside: boolean): SchemaNode {
  if (kindOf(schema) === 'datetime') {
    return {
      moment: isNullable(schema) ? OR_NULL : true,
      ...(schema.default !== undefined && { default: schema.default }),
    }
  }
  const copy: Record<string, unknown> = { ...schema }
  if (fromOutside && kindOf(schema) === 'string') {
    copy.seen = true
    if (!schema.verbatim && !schema.controls) copy.controlled = Number(schema.maxLength) <= SHORT ? 'line' : 'lines'
  }
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, each]) => [name, checked(each, fromOutside)])
    copy.properties = Object.fromEntries(fields)
  }
  if (schema.items) copy.items = checked(schema.items, fromOutside)
  return copy
}

/**
 * The result of reading. Without `errors`, `value` is valid. With them, `given` has the valid fields, so that a handler can find further errors
 * for the same answer; it is absent if the input is not a record.
 */
export interface ReadResult {
  value: unknown
  errors?: FieldErrors
  given?: Record<string, unknown>
}

/** Reads one kind of input. */
export type Reader = (input: unknown) => ReadResult

const readers = new WeakMap<object, Reader>()
const internalReaders = new WeakMap<object, Reader>()

/** The reader of what people and their programs give, by a schema. It takes what nobody sees off the ends of texts. */
export function readerOf(schema: TSchema): Reader {
  return readers.getOrInsertComputed(schema, () => makeReader(schema as SchemaNode, true))
}

/** The reader of what services tell each other: texts are as they are stored. */
export function internalReaderOf(schema: TSchema): Reader {
  return internalReaders.getOrInsertComputed(schema, () => makeReader(schema as SchemaNode, false))
}

/** What readers have not compiled yet. */
const uncompiled: (() => void)[] = []

/**
 * Compiles all readers made so far. A process does that before it says that it is ready: compiling guests' takes 50 ms, in which many requests
 * would wait.
 */
export function compileReaders(): void {
  for (const compile of uncompiled.splice(0)) compile()
}

/** Compiles when it is first used, or by {@link compileReaders}: programs that only read their settings compile nothing else. */
function makeReader(schema: SchemaNode, fromOutside: boolean): Reader {
  const shape = shapeOf(schema, fromOutside)
  const asChecked = checked(schema, fromOutside)
  const check = once(() => firstErrorAjv.compile(asChecked) as ValidateFunction)
  const explain = once(() => allErrorsAjv.compile(asChecked) as ValidateFunction)
  uncompiled.push(check, explain)
  let parts: ValidateFunction[] | undefined
  const problemsOf = (value: unknown): ErrorObject[] => {
    if (!isLarge(value)) {
      const validate = explain()
      validate(value)
      return validate.errors ?? []
    }
    parts ??= fieldByField(asChecked)
    return parts.flatMap((part) => (part(value) ? [] : (part.errors ?? [])))
  }
  return (input) => {
    const value = shape(input)
    if (check()(value)) return { value }
    const problems = problemsOf(value)
    return { value, errors: fieldErrors(problems), ...(isObject(value) && { given: without(value, problems) }) }
  }
}

/** Makes something when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Validators of single fields, which stop at their first error: one field with many errors does not hide the others. */
function fieldByField(schema: SchemaNode): ValidateFunction[] {
  const { properties, required = [], ...rest } = schema
  if (!properties) return [firstErrorAjv.compile(schema) as ValidateFunction]
  return Object.entries(properties).map(
    ([name, field]) =>
      firstErrorAjv.compile({
        ...rest,
        additionalProperties: true,
        properties: { [name]: field },
        required: required.filter((each) => each === name),
      }) as ValidateFunction,
  )
}

/** The fields of a record that have no error. */
function without(value: Record<string, unknown>, problems: ErrorObject[]): Record<string, unknown> {
  const refused = new Set(problems.map((problem) => pathOf(problem)[0]))
  return Object.fromEntries(Object.entries(value).filter(([name]) => !refused.has(name)))
}

/** The most values of an input, at every depth, which gets every error; a larger one gets the first of each field. Millions of errors would cost gigabytes. */
const LARGE = 2_000

function isLarge(value: unknown): boolean {
  let seen = 0
  const exceeds = (held: unknown): boolean => {
    if (++seen > LARGE) return true
    return typeof held === 'object' && held !== null && Object.values(held).some(exceeds)
  }
  return exceeds(value)
}

const LIST_NAME = /^(\w+)\[\d*\]$/

/**
 * The reader of query parameters: `category[]=a&category[]=b`, `category[0]=a` and `category=a` are all lists if the schema declares a list. A
 * list of blanks counts as absent.
 */
export function queryReaderOf(schema: TObject, makeOf = readerOf): Reader {
  const read = makeOf(schema)
  const fields = schema.properties as Record<string, SchemaNode>
  const isListed = (name: string): boolean => kindOf(fields[name] ?? {}) === 'array'
  return (input) => {
    const query: Record<string, unknown> = {}
    for (const [given, value] of Object.entries(isObject(input) ? input : {})) {
      const name = LIST_NAME.exec(given)?.[1] ?? given
      if (!isListed(name)) {
        query[given] = value
        continue
      }
      const items = [value].flat().filter((item) => item !== '')
      if (items.length > 0) query[name] = [...((query[name] as unknown[] | undefined) ?? []), ...items]
    }
    return read(query)
  }
}

/** Maximum of nested fields with errors in an answer, so that it does not become much larger than the batch. */
const MAX_MESSAGES = 20

/** Ajv's errors in the words of the interface, by field; a nested field is named `outer.0.inner`. */
function fieldErrors(errors: ErrorObject[]): FieldErrors {
  const found: FieldErrors = {}
  // No field hides another: the first error of each comes first.
  const byField = Map.groupBy(errors, (error) => pathOf(error)[0])
  const most = Math.max(MAX_MESSAGES, byField.size)
  for (const error of [...byField.values().flatMap((ofField) => ofField.slice(0, 1)), ...errors]) {
    const name = pathOf(error).join('.') || 'base'
    if (!found[name] && Object.keys(found).length >= most) break
    const message = sentence(error)
    if (!message) continue
    // A value of the wrong type would also fail `enum`, and a blank one any pattern.
    if (error.keyword === 'enum' && found[name]) continue
    if (error.keyword === 'pattern' && found[name]?.some(({ code }) => code === 'blank')) continue
    found[name] ??= []
    if (!found[name].some((each) => `${each}` === `${message}`)) found[name].push(message)
  }
  return found
}

/** The path of an error. */
function pathOf({ instancePath, keyword, params }: ErrorObject): string[] {
  const path = instancePath.split('/').slice(1)
  return keyword === 'required' ? [...path, params.missingProperty] : path
}

const kinds: Record<string, Message> = {
  string: messageOf('not_string'),
  integer: messageOf('not_integer'),
  number: messageOf('not_number'),
  boolean: messageOf('not_boolean'),
  object: messageOf('not_object'),
  array: messageOf('not_list'),
}

function sentence({ keyword, params }: ErrorObject): Message | undefined {
  switch (keyword) {
    case 'required':
      return messageOf('blank')
    case 'pattern':
      return messageOf(codeOfPattern(params.pattern))
    case 'seen':
      return messageOf('invalid')
    case 'controlled':
      return messageOf('control_characters')
    case 'minLength':
      return params.limit === 1 ? messageOf('blank') : messageOf('too_short', params)
    case 'maxLength':
      return messageOf('too_long', params)
    case 'minimum':
      return messageOf('too_small', params)
    case 'maximum':
      return messageOf('too_big', params)
    case 'maxItems':
      return messageOf('too_many', params)
    case 'maxBytes':
      return messageOf('too_large', { limit: params.limit / 1024 })
    case 'free':
      return messageOf('invalid_object')
    case 'enum':
      return messageOf('not_in_list', { values: params.allowedValues.join(', ') })
    case 'format':
    case 'moment':
      return messageOf('invalid_date_time')
    case 'type': {
      const wanted = [params.type].flat().find((each) => each !== 'null')
      return kinds[wanted] ?? messageOf('invalid')
    }
    default:
      return undefined
  }
}

/**
 * The body without its root key: clients send `{"guest": {…}}` and `{…}`. `roots` are the possible root keys. If the schema has a field of that
 * name, the body is wrapped only if it is the only key.
 */
export function unwrap(body: unknown, roots: readonly string[], schema: SchemaNode): unknown {
  if (!isObject(body)) return body
  for (const root of roots) {
    if (!Object.hasOwn(body, root)) continue
    const held = body[root]
    const fits = kindOf(schema) === 'array' ? Array.isArray(held) || isObject(held) : isObject(held)
    if (fits && !schema.properties?.[root]) return held
  }
  return body
}

/**
 * Parses JSON bytes, with or without a byte order mark; an empty body is an empty object. Numbers that a double does not give back as they are
 * written become {@link WrittenNumber}s, which readers resolve. Throws a `malformed` fault (400).
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {}
  if (!isUtf8(bytes)) throw new Fault('malformed', 'The body is not valid UTF-8')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  try {
    return JSON.parse(json, MAY_CHANGE.test(json) ? keepDigits : undefined)
  } catch {
    throw new Fault('malformed', 'The body is not valid JSON')
  }
}
