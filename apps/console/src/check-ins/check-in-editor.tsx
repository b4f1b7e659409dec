import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { Form } from '../form/form.tsx'
import type { EditorProps } from '../resources/resource.ts'
import { client, GatehouseError } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { nameOf } from '../view/names.ts'
import { useRested } from '../view/rested.ts'

const LIST = '/api/v1/events/{event_id}/guests.json'
const OFFERED = 'guests-offered'
/** Guests that are offered at a time. */
const MOST = 8

/** The form of a check-in: whoever types a name may choose the guest, whose code it then has. */
export function CheckInEditor({ fields, ...form }: EditorProps) {
  const { say } = useConsole()
  const { guest_uid } = fields
  const event_id = form.params.event_id ?? ''
  const asked = guest_uid ? { ...fields, guest_uid: { ...guest_uid, list: OFFERED } } : fields
  return (
    <Form
      {...form}
      fields={asked}
      send={async ({ guest_uid = '', ...body }, key) =>
        form.send({ ...body, guest_uid: await codeOf(event_id, String(guest_uid), say('check_in_several')) }, key)
      }
      editors={{
        guest_uid: ({ values }, usual) => (
          <>
            {usual}
            <Offered event_id={event_id} typed={String(values.guest_uid).trim()} />
          </>
        ),
      }}
    />
  )
}

/** The code of the only guest named by what was typed; what was typed itself if it names nobody, which the API refuses as unknown. Throws a `GatehouseError` with these words if it names several. */
async function codeOf(event_id: string, typed: string, several: string): Promise<string> {
  const guestsBy = async (query: { uid: string } | { search: string }) =>
    (await client.GET(LIST, { params: { path: { event_id }, query: { ...query, per_page: 2 } } })).data
  if ((await guestsBy({ uid: typed })).length > 0) return typed
  const [guest, other] = await guestsBy({ search: typed })
  if (other) throw new GatehouseError(422, '', { errors: { guest_uid: [several] } })
  return guest?.uid ?? typed
}

/** The guests whom the search finds by what is typed, with their codes. Where it finds none, a code can be typed all the same. */
function Offered({ event_id, typed }: { event_id: string; typed: string }) {
  const { found = [] } = useRested(async (signal) => {
    if (typed === '') return []
    const query = { search: typed, per_page: MOST }
    return (await client.GET(LIST, { params: { path: { event_id }, query }, signal })).data
  }, typed)
  return (
    <datalist id={OFFERED}>
      {found.map((guest) => {
        const name = nameOf(guest)
        const company = guest.company_name === name ? undefined : guest.company_name
        return <option key={guest._id} value={guest.uid} label={dotted([name, company])} />
      })}
    </datalist>
  )
}
