import type { ComponentType } from 'preact'
import type { paths } from '../../../../clients/typescript/openapi.ts'
import { type DeclaredField, declaredOf, type Role } from '../declared/declared.ts'
import type { FormProps } from '../form/form.tsx'
import type { Values } from '../form/values.ts'
import type { Item } from '../server/server.ts'
import type { Session } from '../session/session.ts'
import type { Times } from '../texts/times.ts'
import type { ConsoleSay, TextKey } from '../texts/words.ts'
import type { NamesOf } from '../view/names.ts'

type Names<Prefix extends string> = TextKey extends infer Key
  ? Key extends `${Prefix}_${infer Name}`
    ? Name
    : never
  : never

type AnswersList<Element = unknown> = { get: { responses: { 200: { content: { 'application/json': Element[] } } } } }
/** The path of a list of the API. */
export type ListPath = { [P in keyof paths]: paths[P] extends AnswersList ? P : never }[keyof paths]
type ListedItem<P extends ListPath> = paths[P] extends AnswersList<infer Element> ? Element : never
type BodyOf<P extends ListPath> = paths[P] extends {
  post: { requestBody?: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never
/** The names of fields that are declared; an object may have others, too. */
type Declared<Fields> = keyof { [Name in keyof Fields as string extends Name ? never : Name]: true }
/** The names of fields that have a label. */
type Labelled<Fields> = Extract<Declared<Fields>, Names<'field'>>

/** What can be done to an item, besides changing and deleting it. */
export interface ItemAction {
  label: TextKey
  /** The path to which it is posted. */
  path: keyof paths
  /** Whether it is offered for an item. */
  offered?: (item: Item) => boolean
  /** What is asked before it is done, if it cannot be undone. */
  asks?: TextKey
  /** Shows that where it depends on the item. */
  Asks?: ComponentType<ItemProps>
  /** What is said when it was done; it may depend on the item as it was before. */
  says?: TextKey | ((item: Item) => TextKey)
  /** What is posted. */
  body?: object
  /** Whether it is what is usually done next. */
  isMain?: true
  /** Whether it does not wait for what is typed on the item's page to be saved. */
  isAnytime?: true
}

/** What shows something of a new item once gets. */
export interface OnceProps {
  answer: Item
}

/** What the form of a new item begins with may depend on. */
export interface Beginning {
  say: ConsoleSay
  names: NamesOf
  /** Those that there are. */
  items: readonly Item[]
}

/** What the words for what came of a new item may depend on. */
export interface Outcome {
  say: ConsoleSay
  times: Times
  names: NamesOf | undefined
}

/** What each page gets: the parameters of its path. */
export interface PageProps {
  params: Record<string, string>
}

/** What gets a form of an item. */
export type EditorProps = FormProps & PageProps

/** What a page of a resource gets. */
export interface ResourceProps extends PageProps {
  resource: ConsoleResource
}

/** What gets a part of the page of an item. */
export interface ItemProps extends PageProps {
  item: Item
}

/** What gets what stands beside the form of an item: what is being typed, too. */
export interface BesideProps extends ItemProps {
  values?: Values | undefined
  /** Reads the item again. */
  reload: () => void
}

/** What gets what shows an item that is being typed; there is none yet where one is made. */
export interface PreviewProps extends PageProps {
  item?: Item | undefined
  values: Values
}

/** What gets what shows a value. */
export interface CellProps {
  item: Item
  /** What the fields of the list name, as soon as that is known. */
  names?: NamesOf | undefined
}

/** What gets what shows a new item. */
export interface MadeProps extends PageProps {
  answer: Item
}

/** What the pages of a resource have besides columns and fields. */
interface Extras {
  /** Flags of the request for an item, by which it has more fields. */
  flags: Record<string, true>
  /** Reads what else is to be known of an item on its page. */
  also?: (params: PageProps['params'], signal: AbortSignal) => Promise<Item>
  /** The field of an answer that is shown once. */
  once?: string
  /** Shows the answer of which something is shown once. */
  Once?: ComponentType<OnceProps>
  /** Shows a new item of which something is shown once, with what it needs next. */
  Made?: ComponentType<MadeProps>
  /** What the form of a new item begins with, where people expect other values than the API's defaults. */
  begin?: (known: Beginning) => Values
  /** What each creation has besides the form. */
  always?: (session: Session) => object
  /** The words of the form's button for a new item, where making it does something. */
  submit?: TextKey
  /** Says what came of making an item, where that it was saved says too little. */
  outcome?: (made: Item, known: Outcome) => Promise<string>
  actions: ItemAction[]
  /** Lists within an item. */
  children: Names<'page'>[]
  /** Parameters of the list, by which it is filtered. */
  filters: Names<'field'>[]
  /** Columns by which the list can be sorted; of those with a `-`, the last ones come first at once. */
  sorts: string[]
  /** How the list is sorted unless its address says otherwise; as the API has it unless given. */
  sort?: string
  /** What fields are called, as columns and in forms, where it is not the usual word. */
  titles: Partial<Record<string, TextKey>>
  /** The words for how many there are, with `{count}`; the usual ones unless given. */
  counted?: TextKey
  /** Columns that are shown whole where others have to give way. */
  whole?: readonly string[]
  /** What shows the values of fields that are no plain values. */
  cells: Partial<Record<string, ComponentType<CellProps>>>
  /** Whether a fact of an item is shown; each one unless given. */
  tells?: (item: Item, fact: string) => boolean
  /** The word for deleting an item; null where its page has a way of its own. */
  deletion: TextKey | null
  /** Whether an item can still be changed; each can unless given. One that cannot is shown. */
  changeable?: (item: Item) => boolean
  /** Whether deleting an item is offered to somebody; each is unless given. */
  deletes?: (item: Item, session: Session) => boolean
  /** Whether anything can be done to items in their rows by somebody; it can unless given. */
  acts?: (session: Session) => boolean
  /** Whether another one is seldom made right after one. */
  isSeldom?: true
  /** Whether fields of its form are shown that mean something only beside what others hold. */
  when?: FormProps['when']
  /** Fields of its form that few need. */
  seldom?: readonly string[]
  /** Whether several can be made at once, by their names alone. */
  hasSeveral?: true
  /** Headings of its form, each before the field that it names. */
  headings?: Partial<Record<string, TextKey>>
  /** Hints of its form's fields, where another form has a field of the same name that means something else. */
  hints?: Partial<Record<string, TextKey>>
  /** Whether an item goes on changing by itself: its page follows it. */
  moves?: (item: Item) => boolean
  /** What an item is made and changed by, in place of the usual form. */
  Editor?: ComponentType<EditorProps>
  /** Shows an item as it is being typed, beside its form. */
  Preview?: ComponentType<PreviewProps>
  /** The fields that it shows. */
  previews?: readonly string[]
  /** Says what an item is called, where its fields do not. */
  Heading?: ComponentType<ItemProps>
  /** Says in words how far an item is, below its heading. */
  Status?: ComponentType<{ item: Item }>
  /** Shows more of an item, below its form. */
  More?: ComponentType<ItemProps>
  /** The same beside its form, where there is room. */
  Beside?: ComponentType<BesideProps>
}

interface Description<P extends ListPath> extends Partial<Extras> {
  /** The columns of the list. The first one leads to the item. */
  columns: Labelled<ListedItem<P>>[]
  /** The fields of the form. */
  fields?: Labelled<BodyOf<P>>[]
  /** After those the form has all other fields of a creation that are a single value, labelled by their names as long as they have no label. */
  hasAllFields?: true
  /** Who sees it, where few of those who may need it. */
  sees?: Role
  /** Fields of an item that are shown and not changed. */
  facts?: Labelled<ListedItem<P>>[]
}

/** A resource of the API as the console shows it: a list and a form. */
export interface ConsoleResource extends Extras {
  path: string
  /** That of its page, and of the text that says what its items are for. */
  name: Names<'page'> & Names<'empty'>
  /** Where it is in the console: the path without its beginning and end, `['events', '{event_id}', 'guests']`. */
  segments: string[]
  columns: string[]
  fields: string[]
  facts: string[]
  sees: Role
  creates: Role
  changes: Role
}

/** A resource by the path of its list. Columns and fields are those that the API declares and which have a label. */
export function resource<P extends ListPath>(
  path: P,
  { fields = [], hasAllFields, ...description }: Description<P>,
): ConsoleResource {
  const { sees, creates = 'owner', changes = creates, create = {} } = declaredOf(path)
  const segments = path.replace(/^\/api\/v1\/|\.json$/g, '').split('/')
  return {
    path,
    name: segments.at(-1) as ConsoleResource['name'],
    segments,
    fields: [...new Set([...fields, ...(hasAllFields ? singleValues(create) : [])])],
    facts: [],
    ...{ sees, creates, changes },
    flags: {},
    actions: [],
    children: [],
    filters: [],
    sorts: [],
    titles: {},
    cells: {},
    deletion: 'delete',
    ...description,
  }
}

function singleValues(declared: Record<string, DeclaredField>): string[] {
  return Object.keys(declared).filter((name) => declared[name]?.kind !== 'object')
}

/** Whether items of a resource have a page of their own. */
export function hasItemPage({ path }: ConsoleResource): boolean {
  return declaredOf(path).reads === true
}

/** The path of one item. */
export function itemPathOf({ path }: ConsoleResource): string {
  const { one } = declaredOf(path)
  if (one === undefined) throw new Error(`${path} has no path for a single item`)
  return one
}

/** Returns the parameter that is the item's id in its path: the last. */
export function idParamOf(path = ''): string {
  return /\{(\w+)\}[^{]*$/.exec(path)?.[1] ?? 'id'
}
