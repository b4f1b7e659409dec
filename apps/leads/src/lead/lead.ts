/** Whether the server has a lead: it waits, is sent, or is refused. */
export type LeadState = 'waiting' | 'sent' | 'refused'

/** A lead as this phone stores it. */
export interface StoredLead {
  /** The exhibitor whose lead it is: a phone may be given to another stand before it has sent all. */
  exhibitor_id: string
  /** The uid, or a ciphered code that no server has read yet. */
  key: string
  /** Null until a ciphered code is read. */
  guest_uid: string | null
  /** The name in the code, if there is one. */
  name: string | null
  /** What the event lets exhibitors see of the guest; null until the server has told. */
  guest: Record<string, string | null> | null
  author: string
  created_at: string
  note: string
  rating: number | null
  /** That of the server's lead from which note and rating were made. */
  revision: number
  /** Names the change of note or rating that the server does not have yet; null if it has all. */
  change: string | null
  state: LeadState
  /** Why the server does not take it, in the server's words. */
  problem: string | null
}

/** A lead as the server has it. */
export interface ServerLead {
  guest_uid: string
  author: string
  created_at: string
  updated_at: string
  note: string | null
  rating: number | null
  revision: number
  guest?: Record<string, unknown>
}

/** What is known of a lead after the server has told its own: what this phone has changed stays until the server has it. */
export function merged(lead: StoredLead, own: ServerLead): StoredLead {
  const known = { ...lead, ...guestOf(own), author: own.author, created_at: own.created_at }
  // An answer may be overtaken by a later one.
  const isOutdated = own.revision < lead.revision
  if (lead.change !== null || isOutdated) return { ...known, state: 'sent', problem: null }
  return { ...known, ...judgementOf(own), state: 'sent', problem: null }
}

/** A lead that another phone of the stand has made. */
export function leadOf(exhibitor_id: string, own: ServerLead): StoredLead {
  const { guest_uid, author, created_at } = own
  return {
    exhibitor_id,
    key: guest_uid,
    guest_uid,
    name: null,
    author,
    created_at,
    ...judgementOf(own),
    ...guestOf(own),
    change: null,
    state: 'sent',
    problem: null,
  }
}

/**
 * A lead after the server has answered a change of it. If it was changed again meanwhile, that goes on from the answer, unless the answer holds what
 * another phone has written too: then the server joins them.
 */
export function changed(lead: StoredLead, sent: StoredLead, own: ServerLead): StoredLead {
  const known = { ...lead, ...guestOf(own) }
  if (lead.change === sent.change) return { ...known, ...judgementOf(own), change: null, problem: null }
  const isAsSent = (own.note ?? '') === sent.note
  return { ...known, ...(isAsSent && { revision: own.revision }), problem: null }
}

/** The name of the guest of a lead, or what stands for it. */
export function nameOf({ guest, name, guest_uid, key }: StoredLead): string {
  const words = [guest?.first_name, guest?.last_name].filter(Boolean).join(' ')
  return words || name || guest_uid || `${key.slice(0, 12)}…`
}

function judgementOf({ note, rating, revision }: ServerLead) {
  return { note: note ?? '', rating, revision }
}

function guestOf({ guest }: ServerLead): { guest: Record<string, string | null> | null } {
  return { guest: (guest as Record<string, string | null> | undefined) ?? null }
}
