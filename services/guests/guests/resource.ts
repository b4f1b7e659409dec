import { adoption, disowning } from '@gatehouse/proto/declaring/adoption.ts'
import {
  choice,
  datetime,
  defaultsOf,
  fieldsWith,
  flag,
  identifier,
  integer,
  list,
  maybe,
  optionalDatetime,
  optionalEmail,
  optionalInteger,
  optionalText,
  pageQuery,
  record,
  scannedUid,
  subset,
  text,
} from '@gatehouse/proto/declaring/fields.ts'
import type { PersonalDocuments } from '@gatehouse/proto/declaring/personal-data.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'
import { republished } from '@gatehouse/proto/events/republishing.ts'
import { guestStatuses } from '@gatehouse/proto/formats/lists/guest-statuses.ts'
import { freeTextsOf } from '@gatehouse/proto/privacy/free-texts.ts'
import type { Static } from 'typebox'

/** A guest's replies to an invitation. */
export const rsvpStatuses = ['not_replied', 'accepted', 'declined'] as const

/** The orders of the list of guests. */
export const guestSorts = [
  'last_name',
  '-last_name',
  'created_at',
  '-created_at',
  'checked_in_at',
  '-checked_in_at',
] as const
export type GuestSort = (typeof guestSorts)[number]

/** How guests came: who created them, or what. */
export const guestSources = ['import', 'api', 'console', 'walk_in', 'invitation', 'registration'] as const
export type GuestSource = (typeof guestSources)[number]

const privilege = record({ access_once: flag({ default: false }), accesspoint_id: identifier() })
const metadatum = record({ name: text(), value: optionalText({ maxLength: 10_000 }) })

/**
 * The plain fields of a guest. A field's traits say what follows besides: it is `searched`, and `named` in a search (`position:x`); it is
 * `disclosed` to exhibitors where the event lists it in `lead_guest_fields`. A field with `badge` is a line on the badge. One with `printed`
 * only reaches the badges service, which knows some such fields by name (the guest's name on the badge, the QR code's content); a change of
 * either orders a new badge. Each plain field is a column of imported and exported files.
 */
export const plainFields = {
  guest_category_id: identifier(),
  email: optionalEmail({ personal: true, traits: ['searched', 'disclosed', 'printed'] }),
  first_name: optionalText({ personal: true, traits: ['searched', 'disclosed', 'printed'] }),
  last_name: optionalText({ personal: true, traits: ['searched', 'disclosed', 'printed'] }),
  company_name: optionalText({ personal: true, traits: ['searched', 'named', 'disclosed', 'badge'] }),
  position: optionalText({ personal: true, traits: ['searched', 'named', 'disclosed', 'badge'] }),
  phone_number: optionalText({ personal: true, traits: ['searched', 'disclosed', 'printed'] }),
  uid: optionalText({
    description: "Carried in the guest's QR code, unique in the event; made by the service when not given",
    controls: true,
    personal: 'guest_uid',
    traits: ['searched', 'disclosed', 'printed'],
  }),
  message: optionalText({
    maxLength: 10_000,
    verbatim: true,
    personal: true,
    description: 'Shown on the check-in device at a check-in',
  }),
  party_size: integer({
    default: 1,
    minimum: 1,
    maximum: 500,
    description: 'The guest and whoever may come along, in persons. An allowance at the door is per person',
  }),
  rsvp_status: choice(rsvpStatuses, { default: 'not_replied' }),
  status: choice(guestStatuses, {
    default: 'registered',
    description:
      'How far the guest has come; `imported` if a file brought it, `invited` if an accepted invitation did, unless given. `declined` while rsvp_status is',
  }),
  registered_at: optionalDatetime({ description: 'When the guest registered; its creation unless given' }),
  order_uid: optionalText({ personal: true, description: 'The order by which the guest came, of another system' }),
  host_email: optionalEmail({
    personal: true,
    description: 'Who gets one e-mail when the guest first comes in',
  }),
}

/** Why the audit log leaves single guests out until they are deleted. */
const UNAUDITED = 'guests come and change by the thousand, and their own times tell when'

/** What the search looks at. */
export const searchedFields = namesOf(fieldsWith(plainFields, 'searched'))
/** What a search can ask for by name. */
export const namedFields = namesOf(fieldsWith(plainFields, 'named'))
/** What exhibitors may be shown, besides metadata. */
export const disclosedFields = namesOf(fieldsWith(plainFields, 'disclosed'))

/** Where stored guests are not as they are given today. */
const asStored = {
  // Older than the rule for addresses.
  email: optionalText({ personal: true }),
  uid: text({ personal: 'guest_uid' }),
}

/** The lines on a badge, besides name and category. */
export const badgeFields = fieldsWith(plainFields, 'badge')
/** What badges and QR codes are made of. */
export const printedFields = { ...fieldsWith(plainFields, 'printed'), ...badgeFields, ...asStored }

const fields = {
  ...plainFields,
  guest_metadata: list(metadatum, 'guest_metadatum', {
    default: [],
    maxItems: 500,
    maxBytes: 65_536,
    fromObject: ['name', 'value'],
    personal: true,
    description: 'Free-form extra data, 64 KiB in all',
  }),
  access_privileges_attributes: list(privilege, 'access_privilege', { default: [], maxItems: 1_000 }),
}

/** What a device gives of a walk-in: its category alone says what the guest may enter. */
export const walkInFields = { ...plainFields, guest_metadata: fields.guest_metadata }

const shown = {
  _id: identifier({ personal: 'guest_id' }),
  ...plainFields,
  ...asStored,
  registered_at: datetime(),
  promo_code: optionalText({ description: 'The discount code that the guest holds, as it was when it was used' }),
  access_privileges: list(privilege, 'access_privilege'),
  source: maybe(choice(guestSources, { description: 'How the guest came; absent if that was not recorded yet' })),
  checked_in_at: optionalDatetime({ description: 'When the guest first came in; null before' }),
  badge_completed: flag(),
  badge_url: optionalText({
    maxLength: 4_000,
    description: 'A public link that leads (302) to the badge (PDF), once it is completed',
  }),
  qrcode_url: maybe(
    optionalText({ maxLength: 4_000, description: 'A public link to the QR code (PNG, or with .svg)' }),
  ),
  guest_metadata: maybe(list(metadatum, 'guest_metadatum')),
  badges: maybe(
    list(
      record({ _id: identifier(), name: text(), url: text(), content_type: text(), created_at: datetime() }),
      'badge',
    ),
  ),
  files: maybe(
    list(
      record({
        key: text(),
        label: text(),
        filename: text(),
        content_type: text(),
        size: integer(),
        url: text(),
        created_at: datetime(),
      }),
      'file',
    ),
  ),
  event_id: identifier(),
  created_at: datetime(),
  updated_at: datetime(),
}

/** What a client gives of a new guest. */
export const givenGuest = record(fields)

/** The same, and a discount code. */
const newFields = {
  ...fields,
  promo_code: optionalText({
    description: 'Text of a discount code of the event, in any case: the guest uses it. It cannot be changed later',
  }),
}

/** What a client changes of a guest. Whether the email must be valid depends on the stored one. */
const changes = { ...fields, email: optionalText() }

/** What a client changes of the guest with an `_id`. */
const changedGuest = record({ _id: identifier(), ...subset(changes).properties })

const guest = record(shown)

/** A guest as it goes out; some fields only on request. */
export type Guest = Static<typeof guest>

/** A guest of whom nothing is given, besides the category. */
export const guestDefaults = defaultsOf(fields) as Omit<Static<typeof givenGuest>, 'guest_category_id'>

/** What a client can set of a guest, as it is stored. */
export type GuestFields = Omit<Static<typeof givenGuest>, 'uid' | 'access_privileges_attributes'> &
  Pick<Guest, 'uid' | 'access_privileges'>

/** A guest inside something else: fields that may be large are left out of a large guest. */
export const enclosedGuest = record({
  ...shown,
  message: maybe(shown.message),
  access_privileges: maybe(shown.access_privileges),
})

/** Guests as personal data. What blanks them orders no badge: there is nobody to wear it. */
export const personalGuests: PersonalDocuments = {
  name: 'guests.guests',
  collection: 'guests',
  scope: ['event_id'],
  fields: {
    _id: shown._id,
    ...plainFields,
    ...asStored,
    guest_metadata: fields.guest_metadata,
    access_privileges: shown.access_privileges,
    promo_code: shown.promo_code,
    source: shown.source,
    created_at: shown.created_at,
    updated_at: shown.updated_at,
  },
  hidden: {
    search_words: list(text(), 'word', { personal: true }),
    sort_name: text({ personal: true }),
    long_name: optionalInteger({ personal: true }),
  },
  order: { created_at: -1, _id: -1 },
  outcome: 'blanked',
  reason: 'so that guests, uses of discount codes and entries stay counted',
}

/** What is noted of guests, who may name others in it. */
export const guestTexts = freeTextsOf(personalGuests, 'message', 'guest_metadata', 'host_email')

/** A guest inside something else. */
export type EnclosedGuest = Static<typeof enclosedGuest>

const flags = {
  guest_metadata: flag({ default: false, description: 'Adds guest_metadata' }),
  qrcode_url: flag({ default: false, description: 'Adds qrcode_url' }),
  badges: flag({ default: false, description: 'Adds badges' }),
  files: flag({ default: false, description: 'Adds files' }),
}

const moment = (description: string) => maybe(datetime({ unix: true, description }))

const position = record({ _id: identifier(), created_at: datetime() })

/** Guests of an event. */
export const guests = resource('guests.guests', 'guest', {
  list: {
    route: 'GET events/:event_id/guests',
    scope: 'door',
    summary: 'Guests, newest creation first unless sort says otherwise; all filters can be combined',
    query: record({
      ...pageQuery,
      uid: maybe(scannedUid()),
      search: maybe(
        optionalText({
          maxLength: 500,
          description: `Each word must begin a word of ${searchedFields.join(', ')}. or of a value of guest_metadata. Also status:a,b sort:lastname-asc|desc sort:registered-asc|desc ${namedFields.map((name) => `${name}:x`).join(' ')}`,
        }),
      ),
      category: maybe(list(identifier(), 'category', { maxItems: 500 })),
      checked_in: maybe(flag({ description: 'Only those who have come in, or only those who have not' })),
      mailed: maybe(
        flag({
          description: 'Only those to whom an e-mail of a mailing or with the QR code was sent, or only the others',
        }),
      ),
      has_email: maybe(flag({ description: 'Only those with an e-mail address, or only those without' })),
      rsvp_status: maybe(choice(rsvpStatuses)),
      source: maybe(choice(guestSources)),
      sort: maybe(
        choice(guestSorts, {
          description:
            'The order; with - the last ones first. Guests who have not come in have the earliest checked_in_at. Goes before a sort in search',
        }),
      ),
      since: moment('Created at or after: ISO 8601 or Unix seconds'),
      before: moment('Created before'),
      updated_since: moment('Updated at or after'),
      updated_before: moment('Updated before'),
      ...flags,
    }),
    reply: list(guest, 'guest'),
  },
  read: {
    route: 'GET events/:event_id/guests/:id',
    scope: 'door',
    summary: 'One guest; each flag adds the matching data',
    query: record(flags),
    reply: guest,
  },
  create: {
    route: 'POST events/:event_id/guests',
    unaudited: UNAUDITED,
    summary: 'Register a guest',
    checks: true,
    body: record(newFields),
    reply: guest,
    status: 201,
  },
  update: {
    route: 'PUT events/:event_id/guests/:id',
    unaudited: UNAUDITED,
    summary: 'Change fields of a guest; lists are replaced, not merged',
    checks: true,
    body: subset(changes),
    reply: guest,
    status: 204,
  },
  delete: {
    route: 'DELETE events/:event_id/guests/:id',
    summary: 'Delete a guest for good; its check-ins stay',
    reply: guest,
    status: 204,
  },
  batch_create: {
    route: 'POST events/:event_id/guests/batch_create',
    summary: 'Register guests by the batch, each answered in its place',
    batch: true,
    maxBytes: 10 * 1024 * 1024,
    checks: true,
    body: list(
      record({
        ...newFields,
        idempotency_key: optionalText({
          maxLength: 255,
          description:
            'Under the same key, in whatever request of the token, the event has the guest once: a guest who is there is answered, and stays as it is',
        }),
      }),
      'guest',
    ),
    reply: list(
      record({
        ...shown,
        created: flag({
          example: true,
          description: 'Whether this request stored the guest; false if an earlier one did',
        }),
      }),
      'guest',
    ),
    status: 201,
  },
  batch_update: {
    route: 'POST events/:event_id/guests/batch_update',
    summary:
      'Change fields of guests by the batch, each by its `_id`; lists are replaced, not merged. A guest who is so already stays as it is',
    batch: true,
    maxBytes: 10 * 1024 * 1024,
    checks: true,
    body: list(changedGuest, 'guest'),
    reply: list(record({ _id: identifier() }), 'guest'),
  },
  batch_delete: {
    route: 'POST events/:event_id/guests/batch_delete',
    summary: 'Delete guests for good by the batch, each by its `_id`; their check-ins stay',
    batch: true,
    maxBytes: 10 * 1024 * 1024,
    body: list(record({ _id: identifier() }), 'guest'),
    reply: list(record({ _id: identifier() }), 'guest'),
  },
  republish: {
    summary:
      'Publish the guests of an event who were created within a time once more, in the background. Webhooks that had them get nothing',
    body: republished,
    reply: record({}),
  },
  create_many: {
    summary:
      'Registers guests under `_id`s that the caller derives from their contents, so that it can retry: an existing guest stays as it is',
    query: record({ event_id: identifier() }),
    body: list(record({ _id: identifier(), ...fields, status: { ...fields.status, default: 'imported' } }), 'guest'),
    batch: true,
    checks: true,
    reply: list(record({ created: flag({ description: 'Whether this request stored it' }) }), 'guest'),
    longestMs: 10_000,
  },
  adopt: adoption('guest', {
    ...plainFields,
    ...asStored,
    guest_metadata: fields.guest_metadata,
    access_privileges: list(privilege, 'access_privilege', { default: [], maxItems: 1_000 }),
    source: shown.source,
    promo_code: shown.promo_code,
  }),
  disown: disowning('guest'),
  create_invited: {
    summary:
      'Registers an invited guest, or one of a registration page, under an `_id` that follows from the invitation or registration: an existing guest stays as it is. Where the discount code may not be used, or is used up, the guest comes without it',
    body: record({
      event_id: identifier(),
      _id: identifier(),
      ...fields,
      source: choice(['invitation', 'registration'], { default: 'invitation' }),
      promo_code: maybe(record({ event_id: identifier({ description: 'Of the code' }), text: text() })),
    }),
    reply: record({ created: flag({ description: 'Whether this request stored it' }) }),
  },
  create_walk_in: {
    summary:
      'Registers a guest at the door under an `_id` that follows from the walk-in: an existing guest comes back as it is. Forbidden if the category does not allow it',
    body: record({ event_id: identifier(), _id: identifier(), ...walkInFields }),
    reply: guest,
  },
  known: {
    summary: 'Those of these `_id`s and uids that guests of the event have',
    reads: true,
    body: record({ event_id: identifier(), ids: list(identifier(), 'id'), uids: list(text(), 'uid') }),
    reply: record({ ids: list(identifier(), 'id'), uids: list(text(), 'uid') }),
  },
  found: {
    summary: 'The `_id`s of the guests whom a search finds, as that of the list does; the first 1,000',
    reads: true,
    body: record({ event_id: identifier(), search: text({ maxLength: 500 }) }),
    reply: record({ ids: list(identifier(), 'id') }),
  },
  promo_uses: {
    summary: 'How many guests hold each of these discount codes; codes that no guest holds are left out',
    reads: true,
    body: record({ promo_code_ids: list(identifier(), 'promo_code_id') }),
    reply: list(record({ promo_code_id: identifier(), times_used: integer() }), 'promo_code'),
  },
  categories: {
    summary:
      'The categories of the guests after a uid, in the order of uids, and parties of more than one; `last` is the last uid if there may be more',
    reads: true,
    body: record({ event_id: identifier(), after: maybe(text()) }),
    reply: record({
      categories: list(
        record({
          guest_category_id: identifier(),
          uids: list(text(), 'uid'),
          parties: maybe(list(record({ uid: text(), party_size: integer() }), 'party')),
        }),
        'category',
      ),
      last: maybe(text()),
    }),
  },
  resolve: {
    summary: 'What the door needs to know of the guests with these uids; unknown uids are left out',
    reads: true,
    body: record({ event_id: identifier(), uids: list(text(), 'uid') }),
    reply: list(
      record({
        uid: text(),
        guest_id: identifier(),
        guest_category_id: identifier(),
        access_privileges: list(privilege, 'access_privilege'),
        party_size: maybe(integer()),
      }),
      'guest',
    ),
  },
  at_door: {
    summary:
      'What devices at the door know of guests: of those with these uids, or of those changed since then, or of those after a uid in the order of uids. `last` is the last uid if there may be more; where too many have changed since, `is_whole` is false',
    reads: true,
    body: record({
      event_id: identifier(),
      uids: maybe(list(text(), 'uid')),
      changed_since: maybe(datetime()),
      after: maybe(text()),
    }),
    reply: record({
      guests: list(
        record({
          uid: text(),
          guest_category_id: identifier(),
          access_privileges: list(privilege, 'access_privilege'),
          first_name: maybe(optionalText()),
          last_name: maybe(optionalText()),
          company_name: maybe(optionalText()),
          position: maybe(optionalText()),
          message: maybe(optionalText()),
          guest_metadata: maybe(list(record({ name: text(), value: text() }), 'guest_metadatum')),
          party_size: maybe(integer()),
        }),
        'guest',
      ),
      is_whole: flag(),
      last: maybe(text()),
    }),
  },
  audience: {
    summary:
      'The guests of a mailing, in the order of their creation, after a guest; `next` is the last one if there may be more',
    reads: true,
    body: record({
      event_id: identifier(),
      guest_category_ids: list(identifier(), 'guest_category_id', { description: 'Empty: of any category' }),
      rsvp_status: maybe(choice(rsvpStatuses)),
      checked_in: maybe(flag()),
      mailed: maybe(flag()),
      after: maybe(position),
    }),
    reply: record({
      guests: list(record({ _id: identifier(), email: optionalText() }), 'guest'),
      next: maybe(position),
    }),
  },
  note_entries: {
    summary:
      'Stores with these guests when they first came in, as their check-ins say it. `at` is the moment of an entry that is new; without it entries may be gone',
    body: record({
      event_id: identifier(),
      entries: list(record({ uid: text({ pattern: '' }), at: maybe(datetime()) }), 'entry'),
    }),
    reply: record({}),
    // It is asked again soon.
    longestMs: 6_000,
  },
  note_mailed: {
    summary: 'Stores with these guests that an e-mail to them was handed over',
    body: record({ event_id: identifier(), ids: list(identifier(), 'id'), at: datetime() }),
    reply: record({}),
    // It is asked again.
    longestMs: 6_000,
  },
  of_uids: {
    summary:
      'The guests with these uids, with their metadata and QR codes; unknown uids are left out. A guest of more than 16 KiB lacks guest_metadata, and access_privileges and message too if it is still too large',
    reads: true,
    body: record({ event_id: identifier(), uids: list(text(), 'uid') }),
    reply: list(enclosedGuest, 'guest'),
  },
  disclosed: {
    summary:
      'The fields that the event lets exhibitors see, of the guests with these uids or ids; unknown guests are left out',
    reads: true,
    body: record({
      event_id: identifier(),
      by: choice(['uid', '_id']),
      keys: list(text({ maxLength: 4_096, pattern: '' }), 'key'),
    }),
    reply: record({
      fields: list(text(), 'field'),
      guests: list(record({ key: text(), values: list(optionalText(), 'value') }), 'guest'),
    }),
  },
})

function namesOf<T extends object>(fields: T): (keyof T & string)[] {
  return Object.keys(fields) as (keyof T & string)[]
}
