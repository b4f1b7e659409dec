import { datetime, identifier, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

const scan = record({ accesspoint_id: identifier(), guest_uid: text(), access_stamp: datetime() })

/** A resource that answers with the body it gets: the work of gateway and bus, and nothing else. */
export const echoes = resource('echo.echoes', 'echo', {
  create: { route: 'POST echoes', body: scan, reply: scan },
})
