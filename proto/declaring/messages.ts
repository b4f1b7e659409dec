/**
 * What the API says about a wrong field, and about what stands in the way of a request, by code. Answers have the sentence (docs/interface.md 2.5),
 * and the code with its values for clients that ask for problem+json (2.8).
 */
const sentences = {
  blank: "can't be blank",
  invalid: 'is not valid',
  invalid_email: 'is not valid',
  invalid_colour: 'is not valid',
  invalid_time_of_day: 'is not valid',
  control_characters: "can't contain control characters",
  too_short: 'is too short (minimum is {limit} characters)',
  too_long: 'is too long (maximum is {limit} characters)',
  share_above_one: 'must be less than or equal to 1, as a share of the total',
  too_small: 'must be greater than or equal to {limit}',
  too_big: 'must be less than or equal to {limit}',
  too_many: 'has too many entries (maximum is {limit})',
  too_large: 'is too large (maximum is {limit} KiB)',
  not_in_list: 'is not one of {values}',
  not_integer: 'is not a whole number',
  not_number: 'is not a number',
  invalid_date_time: 'is not a valid date-time',
  invalid_time_zone: 'is not a time zone',
  before_start_date: "can't be before start_date",
  ends_before_beginning: "can't be before {field}",
  one_of_required: 'one of {fields} is needed',
  not_with: "can't be given with {field}",
  taken: 'has already been taken',
  unknown_reference: 'is not {thing} of the {owner}',
  already_linked: 'is already linked to this guest category',
  disabled: 'is disabled',
  not_yet_valid: 'is not valid yet',
  expired: 'is no longer valid',
  used_up: 'has been used up',
  account_limit: 'are limited to {limit} per account: {act} one first',
  role_not_bound: 'is for door managers and viewers only',
  invalid_url: 'is not a web address',
  url_has_credentials: "can't hold a user name or password",
  not_public_address: 'is not a public address',
  unknown_placeholder: 'has an unknown placeholder: {found}',
  disallowed_target: 'links to something other than qrcode, badge or unsubscribe_link: {found}',
  disallowed_link: 'has a link other than {{link}}: {found}',
  category_has_guests: 'The guest category has guests',
  type_has_campaigns: 'The invitation type has partner campaigns',
  not_string: 'is not a string',
  not_boolean: 'is not true or false',
  not_object: 'is not an object',
  not_list: 'is not a list',
  invalid_object: 'is nested too deeply or has a name with $ or . in it',
  not_for_files: "can't be set for a file",
  not_file_field: 'is not a guest field of type file',
  wrong_file_type: 'is not a {type} file',
  invalid_qr_code: 'is not a QR code for this event',
  blocked: 'is blocked',
  unsubscribed: 'has unsubscribed',
  suppressed: 'receives no more e-mails: one bounced or was marked as spam',
  refused: 'was refused: {reason}',
  not_in_future: 'must be in the future',
  invalid_recipient: 'is neither an e-mail address nor a domain',
  quota_exceeded: 'is used up',
  reserved: 'is reserved',
  limit_reached: 'are limited to {limit}: delete one first',
  invalid_host: 'is not a host name that accounts can use here',
  unknown_accesspoints: 'must be check-in points of the event',
  duplicate_of_line: '{value} is also in line {line}',
  wrong_column_count: 'has {found} columns, the header has {wanted}',
  wrong_encoding: 'is not in {encoding}',
  empty: 'is empty',
  too_many_columns: 'has more than {limit} columns in line {line}',
  digits_lost: 'may have lost digits in a spreadsheet: {value}',
  differs_by_case: 'differs from {value} in line {line} only by case',
  same_person: 'is the same person as line {line}',
  category_required: 'The row has no guest category, and the event has several',
  ambiguous_name: 'Several are called "{name}": use the id',
  several_guests: 'Several guests have "{value}": give the code',
  unknown_category: 'There is no guest category "{name}"',
  unknown_accesspoint: 'There is no check-in point "{name}"',
  invalid_privileges: 'is not a list of check-in points in JSON',
  password_protected: 'is protected by a password: save it without one',
  unsupported_file: 'is a {kind} file, which cannot be read: save it as .xlsx or CSV',
  vcard: 'is a vCard file: open it in an address book and export it from there as CSV',
  not_a_list: 'is a {kind} file, not a list',
  damaged_file: 'is damaged: open it in a spreadsheet and save it again',
  too_large_unpacked: 'is larger than {limit} MB when unpacked',
  several_sheets: 'has several sheets ({names}): {name} is read',
  unknown_sheet: 'has no sheet {name}: it has {names}',
  lines_above_header: 'has lines above its header, which are skipped: {text}',
  header_guessed: 'has no header: its columns were guessed',
  missing_header: 'has no header: its first row looks like a person',
  no_rows: 'has no rows below its header',
  garbled: 'has characters that were garbled before the file was saved: {text}',
  repeated_header: 'is the header again',
  nul_character: 'has a character that cannot be stored (NUL)',
  unknown_encoding: 'cannot be read as {encoding}: there is no such encoding',
  unclosed_quote: 'has a quote in line {line} that is never closed',
  row_too_long: 'has a row of more than {limit} characters in line {line}',
  no_guest: 'No guest has "{value}"',
  ambiguous_guest: 'Several guests have "{value}": give the code',
  not_identified: 'It has no code, e-mail address or name',
  point_not_given: 'It has no check-in point',
  time_not_given: 'It has no time',
  no_time_of_day: '"{text}" has no time of day',
  not_date_and_time: '"{text}" is not a date and time',
  time_in_future: '"{text}" is in the future',
  ambiguous_day: '"{text}" may be two days',
  not_between: '"{text}" is not a number from {least} to {most}',
  may_not_enter: 'The guest may not enter "{point}": give it a right there',
  stored_as_refused: 'The check-in is stored as refused: {refusal}',
  check_in_not_stored: 'The check-in is not stored',
  check_in_without_right:
    'The check-in stays out. "{category}" may not enter "{point}": give it a right there, and import the file again',
  check_in_without_point: 'The check-in stays out. Say where it was, and import the file again',
  unknown_status: '"{text}" is unknown',
  cancelled_elsewhere: 'It is cancelled there, but its guest is here: delete the guest unless you let it in',
  voucher_sets_price: 'It sets a price of {text} there, which a code here cannot: its amount is 0',
  several_points: 'The event has several check-in points: say where these tickets were checked in',
  not_order_data: 'is JSON, but not order data of pretix',
  idempotency_key_reused: 'was already used for another request',
  within_hour: 'is at most an hour after {field}',
  mail_not_configured: 'no mail server is configured (SMTP_URL, MAIL_FROM): ask for a link',
  wallet_not_configured: 'No certificate for passes of {wallet} is configured',
  references_itself: "can't be the event itself",
  other_account: 'is not your account',
  too_many_changes: 'The {thing} has too many concurrent changes, try again',
  request_in_progress: 'A request with this Idempotency-Key is still running',
  campaign_deleted: 'The partner campaign has been deleted',
  contact_is_staff: 'The contact is a staff member: delete the staff member first',
  registration_not_pending: 'The recipient has not accepted, or the registration is already decided',
  registration_full: 'All places of the registration page are taken',
  cannot_create_guest: 'No guest can be created from the invitation: its campaign, category or guest was deleted',
  marked_as_spam: "The recipient marked an e-mail as spam; this can't be undone",
  guest_without_address: 'The guest has no valid e-mail address',
  guest_blocked: 'The e-mail address of the guest is blocked',
  guest_unsubscribed: 'The guest has unsubscribed from e-mails of the event',
  guest_suppressed: 'The guest receives no more e-mails: one bounced or was marked as spam',
  unreadable_picture: 'cannot be read as a picture of at most 4,096 × 4,096 pixels',
  unsafe_svg: 'has scripts, links or parts from elsewhere: export it as a plain SVG, or as PNG',
  other_title: 'is not the title of the event',
  event_archived: 'The event is archived: nothing in it can be changed',
  mailing_started: 'The mailing was told to send',
  badges_in_progress: 'Another file of badges is being made for this account: wait until it is done, or cancel it',
  no_badges: 'No guest with these filters has a badge: their categories must have badges',
  record_unfinished:
    '{record} is about to change: something is under way, such as e-mails being sent. Try again later, or pause what sends them',
  not_sealed: 'does not fit the seal: the archive was changed, or comes from another Gatehouse',
  records_differ: '{collection} {id} is there already with other content',
  unknown_collection: 'is not a collection that this version of Gatehouse can take',
  event_there: 'The event of this archive is there already. Nothing was stored',
  event_being_deleted: 'The event of this archive is still being deleted: try again in a few minutes',
  other_archive_begun:
    'Another archive of this event was imported in part: import that one to its end, or delete what is there of it',
  other_points: 'The device is bound to other check-in points',
  walk_ins_disallowed: 'The guest category does not allow walk-ins',
  undone_elsewhere: 'At the door a check-in can only be undone by the token that made it',
  undone_too_late: 'At the door a check-in can only be undone within {minutes} minutes',
  last_owner: 'An account needs an owner: make someone else an owner first',
} as const

/** The code of a message. */
export type MessageCode = keyof typeof sentences

/** What a message says besides its code. */
export type MessageValues = Readonly<Record<string, string | number>>

/** A code with its values, as programs read it: `{"code": "too_long", "values": {"limit": 255}}`. */
export interface Coded {
  /** A newer process may send one that is not known here. */
  code: MessageCode
  values?: MessageValues
}

/**
 * A sentence with its code. Refusals about fields and conflicts consist of these, so that clients can say them in other languages; any other
 * string is a type error. In JSON a message is its sentence.
 */
export class Message implements Coded {
  readonly code: MessageCode
  readonly values?: MessageValues
  readonly #sentence: string

  constructor(sentence: string, { code, values }: Coded) {
    this.code = code
    if (values) this.values = values
    this.#sentence = sentence
  }

  toString(): string {
    return this.#sentence
  }

  toJSON(): string {
    return this.#sentence
  }
}

/** A place for a value; `{{link}}` is none. */
const PLACE = /(?<!\{)\{(\w+)\}(?!\})/g

/** Returns the message of a code. */
export function messageOf(code: MessageCode, values?: MessageValues): Message {
  const sentence = sentences[code].replace(PLACE, (_, name: string) => String(values?.[name] ?? ''))
  return new Message(sentence, { code, ...(values && { values }) })
}

/** All codes with their sentences, in which `{name}` stands for a value. */
export const messageSentences: Readonly<Record<MessageCode, string>> = sentences
