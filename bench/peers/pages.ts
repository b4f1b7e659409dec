import { createServer } from 'node:http'
import { listen } from '@gatehouse/test/harness/listening.ts'
import { EMPTY, migratedPage } from '../migrated.ts'
import { ready } from './ready.ts'

/* Another system of the interface: one event, whose id and size are in the path (`/ID/GUESTS/api/v1/…`). Its pages are prepared at the first request. */
const pages = new Map<string, string>()
const { host } = await listen(
  createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const [, event_id = '', size = '', rest = ''] = /^\/(\w+)\/(\d+)\/(.*)\.json$/.exec(pathname) ?? []
    const list = rest.replace(`api/v1/events/${event_id}/`, '')
    const page = Number(searchParams.get('page') ?? 1)
    const key = `${event_id} ${size} ${list} ${page}`
    response.setHeader('content-type', 'application/json')
    response.end(
      event_id ? pages.getOrInsertComputed(key, () => migratedPage(event_id, Number(size), list, page)) : EMPTY,
    )
  }),
)
ready(`http://${host}`)
