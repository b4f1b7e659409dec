import type { Caller } from '@gatehouse/proto/declaring/resource.ts'

/** Whether a caller may delete any check-in of its event. */
export function isOrganizer({ scope, role }: Caller): boolean {
  return role ? role === 'owner' || role === 'organizer' : scope === 'admin'
}

/** The token that a check-in remembers as its maker, for an undo at the door. Organizers may delete any, so theirs is not kept with each scan. */
export function makerOf(caller: Caller | undefined): string | undefined {
  return caller && !isOrganizer(caller) ? caller.token_id : undefined
}
