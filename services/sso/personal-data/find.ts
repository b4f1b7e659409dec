import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import type { FoundEntry, Subject } from '@gatehouse/proto/declaring/personal-data.ts'
import type { Call } from '@gatehouse/proto/declaring/resource.ts'
import { unsearched } from '@gatehouse/proto/privacy/free-texts.ts'
import type { personalData } from '../resources.ts'
import { contactGroupsOf, withContacts } from './contact-groups.ts'
import type { Dependencies } from './dependencies.ts'
import { freeTexts } from './free-texts.ts'

const ANSWERED = 'since answers to the e-mails of events go there: set another reply_to_email of the account'

/** Finds a person's data, with the reason why a contact is kept. */
export async function find(
  dependencies: Dependencies,
  call: Call<(typeof personalData)['actions']['find']>,
): Promise<FoundEntry[]> {
  const { personal, db } = dependencies
  const groups = await contactGroupsOf(dependencies, call.body)
  const entries = groups.map(async ({ contact_ids, reason }) => {
    const found = await personal.find({ ...call, body: withContacts(call.body, contact_ids) })
    return found.map((entry) =>
      reason === undefined || entry.outcome === 'kept' ? entry : { ...entry, outcome: 'kept' as const, reason },
    )
  })
  const own = await replyAddress(dependencies, call.body)
  return [...(await Promise.all(entries)).flat(), ...own, ...(await unsearched(db, freeTexts, call.body))]
}

/** The account, if answers to the e-mails of its events go to the person. */
async function replyAddress(
  { accounts }: Dependencies,
  { account_id, with_account, person }: Subject,
): Promise<FoundEntry[]> {
  const address = with_account && person ? (await accounts.get(account_id))?.reply_to_email : undefined
  if (!address || !person?.emails.includes(normalized(address) ?? address)) return []
  return [{ data: 'sso.accounts', outcome: 'kept', count: 1, reason: ANSWERED }]
}
