import type { PageProps } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { GuestCheckIns } from './guest-check-ins.tsx'
import { GuestCode } from './guest-code.tsx'
import { GuestInformation } from './guest-information.tsx'
import { GuestRights } from './guest-rights.tsx'

/** What the page of a guest has below its form. */
export function GuestDetails(props: PageProps & { item: Item }) {
  return (
    <>
      <GuestRights {...props} />
      <GuestInformation {...props} />
      <GuestCode {...props} />
      <GuestCheckIns {...props} />
    </>
  )
}
