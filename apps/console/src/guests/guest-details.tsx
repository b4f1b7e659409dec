import type { PageProps } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { GuestCheckIns } from './guest-check-ins.tsx'
import { GuestCode } from './guest-code.tsx'
import { GuestFiles } from './guest-files.tsx'
import { GuestHistory } from './guest-history.tsx'
import { GuestInformation } from './guest-information.tsx'
import { GuestMails } from './guest-mails.tsx'
import { GuestRights } from './guest-rights.tsx'

/** What the page of a guest has below its form: first what is needed at the door. */
export function GuestDetails(props: PageProps & { item: Item }) {
  return (
    <>
      <GuestCheckIns {...props} />
      <GuestRights {...props} />
      <GuestInformation {...props} />
      <GuestFiles {...props} />
      <GuestCode {...props} />
      <GuestMails {...props} />
      <GuestHistory {...props} />
    </>
  )
}
