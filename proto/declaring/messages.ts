/**
 * What the API says about a wrong field, and about what stands in the way of a request, by code. Answers have the sentence (docs/interface.md 2.5);
 * a program which speaks other languages finds its code and values again by {@link readMessage}.
 */
const sentences = {
  blank: "can't be blank",
  invalid: 'is not valid',
  too_short: 'is too short (minimum is {limit} characters)',
  too_long: 'is too long (maximum is {limit} characters)',
  share: 'must be less than or equal to 1, as a share of the total',
  too_small: 'must be greater than or equal to {limit}',
  too_great: 'must be less than or equal to {limit}',
  too_many: 'has too many entries (maximum is {limit})',
  too_large: 'is too large (maximum is {limit} KiB)',
  no_choice: 'is not one of {values}',
  no_integer: 'is not a whole number',
  no_number: 'is not a number',
  no_time: 'is not a valid date-time',
  before_start: "can't be before start_date",
  one_needed: 'one of {fields} is needed',
  taken: 'has already been taken',
  elsewhere: 'is not {thing} of the {owner}',
  linked: 'is already linked to this guest category',
  disabled: 'is disabled',
  not_yet: 'is not valid yet',
  over: 'is not valid any more',
  used_up: 'has been used up',
  capped: 'are limited to {limit} for an account: {act} one first',
  unbound_role: 'is for door managers and viewers only',
  no_web_address: 'is not a web address',
  has_login: "can't hold a user name or password",
  not_public: 'is not a public address',
  no_placeholder: 'has an unknown placeholder: {found}',
  other_link: 'has a link to something else than {{link}}: {found}',
  category_has_guests: 'The guest category has guests',
  type_has_campaigns: 'The invitation type has partner campaigns',
  last_owner: 'An account keeps one owner: make somebody else an owner first',
} as const

/** The code of a message. */
export type MessageCode = keyof typeof sentences

/** What a message says besides its code. */
export type MessageValues = Record<string, string | number>

/** The place of a value; `{{link}}` is none. */
const PLACE = /(?<!\{)\{(\w+)\}(?!\})/g

/** The sentence of a code. */
export function messageOf(code: MessageCode, values: MessageValues = {}): string {
  return sentences[code].replace(PLACE, (_, name: string) => String(values[name] ?? ''))
}

const forms = Object.entries(sentences).map(([code, sentence]) => {
  const literals = sentence.split(PLACE).map((part, index) => (index % 2 ? `(?<${part}>.+)` : escaped(part)))
  return { code: code as MessageCode, form: new RegExp(`^${literals.join('')}$`, 'su') }
})

/** Without `RegExp.escape`, which browsers of 2024 lack. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The code and the values of a sentence; undefined if it has no code. */
export function readMessage(sentence: string): { code: MessageCode; values: MessageValues } | undefined {
  for (const { code, form } of forms) {
    const found = form.exec(sentence)
    if (found) return { code, values: { ...found.groups } }
  }
  return undefined
}

/** All codes. */
export const messageCodes = Object.keys(sentences) as MessageCode[]
