import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../../dependencies.ts'
import { answer } from './answer.ts'
import type { partnerPages } from './resource.ts'

/** Returns the handlers of partners' pages. A GET changes nothing: mail scanners open links. */
export function partnerPageHandlers(dependencies: Dependencies): Handlers<typeof partnerPages> {
  return handlersOf<typeof partnerPages, Dependencies>(
    {
      handle: (all, { body: { method, url, headers, body } }) => {
        const header = (wanted: string) => headers.find(({ name }) => name === wanted)?.value ?? undefined
        const form = new URLSearchParams(body ?? '')
        return answer(all, { method, url, form, cookie: header('cookie'), acceptLanguage: header('accept-language') })
      },
      upload: (all, { query: { url, cookie, accept_language }, upload }) => {
        const form = new URLSearchParams()
        return answer(all, { method: 'POST', url, form, cookie, acceptLanguage: accept_language ?? undefined, upload })
      },
    },
    dependencies,
  )
}
