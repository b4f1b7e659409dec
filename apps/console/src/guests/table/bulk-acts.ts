import { fieldErrorWords } from '../../form/error-words.ts'
import { type Item, post, refusalOf } from '../../server/server.ts'
import { type ConsoleSay, named, type TextKey } from '../../texts/words.ts'
import type { BulkAct } from './bulk-run.ts'
import type { SelectedGuest } from './selection.ts'

const UPDATE = '/api/v1/events/{event_id}/guests/batch_update.json'
const DELETE = '/api/v1/events/{event_id}/guests/batch_delete.json'
const SEND_CODE = '/api/v1/events/{event_id}/guests/{id}/send_qrcode.json'
const CHECK_INS = '/api/v1/events/{event_id}/access_controls/batch_create.json'
/** Guests of one request. */
const AT_ONCE = 200
/** Check-ins of one request: few enough for the door to answer at once. */
const CHECK_INS_AT_ONCE = 100

/** Gives guests another category. */
export function setCategory(event_id: string, guest_category_id: string, say: ConsoleSay): BulkAct {
  return batches(
    UPDATE,
    event_id,
    ({ _id }) => ({ _id, guest_category_id }),
    (answer) => errorsOf(answer, say),
  )
}

/** Sends guests their QR codes by e-mail. */
export function sendCodes(event_id: string): BulkAct {
  return {
    size: 1,
    send: async ([guest], key) => {
      if (guest) await post(SEND_CODE, { event_id, id: guest._id }, undefined, key)
      return []
    },
  }
}

/** Deletes guests. Who is gone already is not missed. */
export function deleteGuests(event_id: string): BulkAct {
  return batches(
    DELETE,
    event_id,
    ({ _id }) => ({ _id }),
    () => undefined,
  )
}

/** Checks guests in at a check-in point, by the rules of the door. By their time, check-ins that are sent again are the same. */
export function checkIn(event_id: string, accesspoint_id: string, say: ConsoleSay): BulkAct {
  const access_stamp = new Date().toISOString()
  const itemOf = ({ uid }: SelectedGuest): Item => ({ accesspoint_id, guest_uid: uid, access_stamp })
  const problemOf = (answer: Item): string | undefined => errorsOf(answer, say) ?? atDoor(answer, say)
  return batches(CHECK_INS, event_id, itemOf, problemOf, CHECK_INS_AT_ONCE)
}

/** Something that is done by batches; `problemOf` says why it failed with a guest, if it did. */
function batches(
  path: string,
  event_id: string,
  itemOf: (guest: SelectedGuest) => Item,
  problemOf: (answer: Item) => string | undefined,
  size = AT_ONCE,
): BulkAct {
  return {
    size,
    send: async (guests, key) => {
      const answers = (await post(path, { event_id }, guests.map(itemOf), key)) as unknown as Item[]
      return answers.map(problemOf)
    },
  }
}

/** What is wrong with an item. */
function errorsOf(answer: Item, say: ConsoleSay): string | undefined {
  const refusal = refusalOf(answer)
  return refusal && fieldErrorWords(say, refusal)
}

/** Why the door did not let a guest in. */
function atDoor({ access_status, reason }: Item, say: ConsoleSay): string | undefined {
  if (access_status === 0) return undefined
  const words = say(`status_${access_status}` as TextKey)
  return typeof reason === 'string' && access_status === 2 ? `${words} · ${named(say, 'reason', reason)}` : words
}
