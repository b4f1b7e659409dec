import { fieldErrorWords } from '../../form/error-words.ts'
import { asRefusal, change, GatehouseError, type Item, post, remove } from '../../server/server.ts'
import { type ConsoleSay, named, type TextKey } from '../../texts/words.ts'
import type { BulkAct } from './bulk-run.ts'

const ONE = '/api/v1/events/{event_id}/guests/{id}.json'
const SEND_CODE = '/api/v1/events/{event_id}/guests/{id}/send_qrcode.json'
const CHECK_INS = '/api/v1/events/{event_id}/access_controls/batch_create.json'
/** Check-ins of one request: few enough for the door to answer at once. */
const CHECK_INS_AT_ONCE = 100

/** Gives guests another category. */
export function setCategory(event_id: string, guest_category_id: string): BulkAct {
  return each((id) => change(ONE, { event_id, id }, { guest_category_id }))
}

/** Sends guests their QR codes by e-mail. */
export function sendCodes(event_id: string): BulkAct {
  return each((id, key) => post(SEND_CODE, { event_id, id }, undefined, key))
}

/** Deletes guests. Who is gone already is not missed. */
export function deleteGuests(event_id: string): BulkAct {
  return each((id) =>
    remove(ONE, { event_id, id }).catch((problem) => {
      if (asRefusal(problem).status !== 404) throw problem
    }),
  )
}

/** Checks guests in at a check-in point, by the rules of the door. By their time, check-ins that are sent again are the same. */
export function checkIn(event_id: string, accesspoint_id: string, say: ConsoleSay): BulkAct {
  const access_stamp = new Date().toISOString()
  return {
    size: CHECK_INS_AT_ONCE,
    send: async (guests, key) => {
      const body = guests.map(({ uid }) => ({ accesspoint_id, guest_uid: uid, access_stamp }))
      const answers = (await post(CHECK_INS, { event_id }, body, key)) as unknown as Item[]
      return answers.map((answer) => refusalOf(answer, say))
    },
  }
}

function each(send: (id: string, key: string) => Promise<unknown>): BulkAct {
  return {
    size: 1,
    send: async ([guest], key) => {
      if (guest) await send(guest._id, key)
      return []
    },
  }
}

/** Why a check-in was refused. */
function refusalOf({ errors, access_status, reason }: Item, say: ConsoleSay): string | undefined {
  if (errors) return fieldErrorWords(say, new GatehouseError(422, '', { errors: errors as GatehouseError['errors'] }))
  if (access_status === 0) return undefined
  const words = say(`status_${access_status}` as TextKey)
  return typeof reason === 'string' && access_status === 2 ? `${words} · ${named(say, 'reason', reason)}` : words
}
