/**
 * What the API says about a wrong field, and about what stands in the way of a request, by code. Answers have the sentence (docs/interface.md 2.5);
 * a program that speaks other languages finds its code and values again by {@link readMessage}.
 */
const sentences = {
  blank: "can't be blank",
  invalid: 'is not valid',
  control_characters: "can't contain control characters",
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
  no_time_zone: 'is not a time zone',
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
  no_text: 'is not a string',
  no_flag: 'is not true or false',
  no_object: 'is not an object',
  no_list: 'is not a list',
  no_free_value: 'is nested too deeply or has a name with $ or . in it',
  not_for_files: "can't be set for a file",
  no_file_field: 'is not of a guest field whose type is file',
  no_file_type: 'is not a {type} file',
  no_qr_code: 'is no QR code of this event',
  blocked: 'is blocked',
  unsubscribed: 'has unsubscribed',
  suppressed: 'gets no more e-mails: one came back, or was called spam',
  refused: 'was refused: {reason}',
  in_past: 'must be in the future',
  no_recipient: 'is neither an e-mail address nor a domain',
  quota: 'is used up',
  reserved: 'is reserved',
  limited: 'are limited to {limit}: delete one first',
  no_host: 'is not a host name that accounts may take here',
  foreign_points: 'must be check-in points of the event',
  also_in_line: '{value} is also in line {line}',
  columns: 'has {found} columns, the header has {wanted}',
  encoding: 'is not in {encoding}',
  empty: 'is empty',
  too_many_columns: 'has more than {limit} columns in line {line}',
  rounded: 'may have lost digits in a spreadsheet: {value}',
  other_case: 'differs from {value} in line {line} only by case',
  same_person: 'is the same person as line {line}',
  category_needed: 'The row has no guest category, and the event has several',
  several_called: 'Several are called "{name}": use the id',
  no_category: 'There is no guest category "{name}"',
  no_accesspoint: 'There is no check-in point "{name}"',
  no_privileges: 'is not a list of check-in points in JSON',
  locked: 'is protected by a password: save it without one',
  saved_as: 'is a {kind} file, which cannot be read: save it as .xlsx or CSV',
  vcard: 'is a vCard file: open it in an address book, and export it from there as CSV',
  no_list_file: 'is a {kind} file, not a list',
  damaged: 'is damaged: open it in a spreadsheet, and save it again',
  unpacked: 'is larger than {limit} MB when it is unpacked',
  several_sheets: 'has several sheets ({names}): {name} is read',
  no_sheet: 'has no sheet {name}: it has {names}',
  above_header: 'has lines above its header, which are skipped: {text}',
  headerless: 'has no header: what its columns are was guessed',
  no_header: 'has no header: its first row is like that of a person',
  no_rows: 'has no rows below its header',
  garbled: 'has garbled characters, from before it was saved: {text}',
  header_again: 'is the header again',
  nul: 'has a character that cannot be stored (NUL)',
  no_encoding: 'cannot be read as {encoding}: there is no such encoding',
  open_quote: 'has a quote in line {line} that is never closed',
  long_row: 'has a row of more than {limit} characters in line {line}',
  key_used: 'was already used for another request',
  within_hour: 'is at most an hour after {field}',
  no_mail: 'no mail server is configured (SMTP_URL, MAIL_FROM): ask for a link',
  itself: "can't be the event itself",
  no_account: 'is not your account',
  busy: 'The {thing} is being changed by too many at once',
  running: 'A request with this Idempotency-Key is still running',
  campaign_gone: 'The partner campaign was deleted meanwhile',
  is_staff: 'The contact is a staff member: delete that one first',
  not_waiting: 'The recipient has not accepted, or the registration is decided',
  no_guest: 'No guest can be made of the invitation: its campaign, its category or the guest was deleted',
  complained: 'The recipient has complained of an e-mail: that cannot be lifted',
  last_owner: 'An account keeps one owner: make someone else an owner first',
} as const

/** The code of a message. */
export type MessageCode = keyof typeof sentences

/**
 * A sentence that has a code. Refusals about fields and conflicts consist of these, so that what the API says can be said in other languages: a
 * sentence of its own does not compile.
 */
export type Message = string & { readonly [coded]: true }
declare const coded: unique symbol

/** What a message says besides its code. */
export type MessageValues = Record<string, string | number>

/** The place of a value; `{{link}}` is none. */
const PLACE = /(?<!\{)\{(\w+)\}(?!\})/g

/** The sentence of a code. */
export function messageOf(code: MessageCode, values: MessageValues = {}): Message {
  return sentences[code].replace(PLACE, (_, name: string) => String(values[name] ?? '')) as Message
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
