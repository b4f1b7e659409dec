import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { conflict, Fault } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Caller } from '@gatehouse/proto/declaring/resource.ts'
import * as topics from '../../topics.ts'
import { blocked } from './rules.ts'
import type { StaffStore } from './store.ts'

/** What being staff means for the contacts of an account. */
export class StaffContacts {
  readonly #staff: StaffStore
  readonly #bus: Bus

  constructor(staff: StaffStore, bus: Bus) {
    this.#staff = staff
    this.#bus = bus
  }

  /**
   * Throws `forbidden` if the caller is staff but no owner, and the contact is staff too: whoever sets the password or the address of an owner can
   * sign in as one.
   */
  async requireRight(caller: Caller, contact_id: string): Promise<void> {
    if (caller.role === undefined || caller.role === 'owner') return
    if (await this.#staff.ofContact(caller.account_id, contact_id))
      throw new Fault('forbidden', 'The contact is a staff member: only an owner may do this')
  }

  /** Throws `conflict` if the contact is staff. */
  async requireNone(account_id: string, contact_id: string): Promise<void> {
    if (await this.#staff.ofContact(account_id, contact_id)) throw conflict(messageOf('contact_is_staff'))
  }

  /** Notes that a contact is blocked, or is no more. Throws `conflict` if it is the last owner, whom an account keeps. */
  async noteBlock(account_id: string, contact_id: string, is_blocked: boolean): Promise<void> {
    await this.#staff.change(account_id, (members) => blocked(members, contact_id, is_blocked))
  }

  /**
   * Waits for a write that may end a contact's sign-ins. If the contact is staff, announces it as a revoked token, so that gateways forget the
   * sessions.
   */
  async ending<T>(account_id: string, contact_id: string, write: () => Promise<T>): Promise<T> {
    const isStaff = (await this.#staff.ofContact(account_id, contact_id)) !== null
    return isStaff ? this.#bus.announcing(topics.tokens, 'revoked', write()) : write()
  }
}
