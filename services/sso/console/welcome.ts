import { randomBytes } from 'node:crypto'
import { emailErrors } from '@gatehouse/proto/declaring/email.ts'
import { toAnswer, type WebResponse } from '@gatehouse/proto/pages/exchange.ts'
import { networkOf } from '@gatehouse/proto/process/network.ts'
import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import { hashOfToken } from '@gatehouse/proto/storage/tokens.ts'
import { nameOf } from '../api/contacts/names.ts'
import type { ContactStore, StoredContact } from '../api/contacts/store.ts'
import { admit, setPassword } from '../api/staff-members/people.ts'
import { withFirstOwner } from '../api/staff-members/rules.ts'
import type { Linked, StoredMember } from '../api/staff-members/store.ts'
import { LONGEST, passwordProblem, SHORTEST } from '../credentials/passwords.ts'
import { formOf, type UnplacedRequest } from '../oidc/account-request.ts'
import { errorPage, type Problems } from '../sign-in/pages/pages.ts'
import type { ConsoleDependencies } from './dependencies.ts'
import { type BrandingOf, welcomePage } from './pages.ts'

/** What the form of a link holds. */
interface WelcomeForm {
  name: string
  email: string
  password: string
}

/**
 * Answers `/console/welcome/<token>`, where a staff member, or the first owner of an account, chooses a password and is signed in. A GET changes
 * nothing: mail scanners open links. Of several forms at once one uses the link.
 */
export async function answerWelcome(
  dependencies: ConsoleDependencies,
  token: string,
  request: UnplacedRequest,
  brandingOf: BrandingOf,
): Promise<WebResponse> {
  const { accounts, contacts, staff, throttle } = dependencies
  const hash = hashOfToken(token)
  const linked = await staff.linked(hash)
  if (!linked) return toAnswer(errorPage(brandingOf(), 404, 'link_gone'))
  const { account_id, member } = linked
  const [account, contact] = await Promise.all([
    accounts.get(account_id),
    member && contacts.get(account_id, member.contact_id),
  ])
  const branding = brandingOf(account)
  if (!account || (member && (!contact || contact.is_blocked))) return toAnswer(errorPage(branding, 404, 'link_gone'))
  const form = formOf(request)
  const shown = { length: SHORTEST, isFirst: member === null }
  if (!form) return toAnswer(welcomePage(branding, { ...shown, ...namesIn(contact) }))
  const given = { ...readForm(form), ...(contact && { email: contact.email }) }
  const problems = problemsOf(given) ?? (await blockedProblem(contacts, account_id, given))
  if (problems) return toAnswer(welcomePage(branding, { ...shown, ...given }, problems))
  const network = networkOf(request.address)
  await throttle.count(account_id, 'invitation_address', network)
  const joined = await join(dependencies, hash, linked, given, request.address)
  if (!joined) return toAnswer(errorPage(branding, 404, 'link_gone'))
  // A team that joins at one place is no guesser.
  await throttle.uncount(account_id, 'invitation_address', network)
  return dependencies.sessions.begin(
    { account_id, ...joined, signed_in_at: new Date() },
    request.headers.cookie,
    '/console/',
  )
}

/** Uses up a link and sets the password. Undefined if the link was used meanwhile. */
async function join(
  dependencies: ConsoleDependencies,
  hash: string,
  { account_id, member }: Linked,
  { name, email, password }: WelcomeForm,
  address: string,
): Promise<{ member: StoredMember; contact: StoredContact } | undefined> {
  const { staff, audit } = dependencies
  const taken = member ? await staff.takeLink(account_id, hash) : await firstOwner()
  if (!taken) return undefined
  const { contact_id } = taken
  const contact = await setPassword(dependencies, { account_id, contact_id }, { name, password }, address)
  return contact ? { member: taken, contact } : undefined

  async function firstOwner(): Promise<StoredMember | null> {
    if (!(await staff.takeFirstLink(account_id, hash))) return null
    const _id = randomBytes(12).toString('hex')
    const owner = { _id, role: 'owner', event_id: null, last_signed_in_at: null, ...newTimes() } as const
    const member = await admit(dependencies, account_id, { email, name }, (members, contact_id) =>
      withFirstOwner(members, { ...owner, contact_id }),
    )
    const act = { action: 'sso.staff_members.create', resource_id: member._id, token_id: member._id, token_name: name }
    await audit.recordAct({ account_id, ...act, address })
    return member
  }
}

/** The problem of an address whose contact is blocked: it is found before the link is used up. */
async function blockedProblem(
  contacts: ContactStore,
  account_id: string,
  { email }: WelcomeForm,
): Promise<Problems | undefined> {
  const contact = await contacts.findByEmail(account_id, email)
  return contact?.is_blocked ? { email: 'email_blocked', status: 422 } : undefined
}

function namesIn(contact: StoredContact | null): Pick<WelcomeForm, 'name' | 'email'> {
  return { name: (contact && nameOf(contact)) ?? '', email: contact?.email ?? '' }
}

function readForm(form: URLSearchParams): WelcomeForm {
  const textOf = (name: string, most: number): string => (form.get(name) ?? '').slice(0, most)
  return { name: textOf('name', 255).trim(), email: textOf('email', 255).trim(), password: textOf('password', 4_000) }
}

function problemsOf({ name, email, password }: WelcomeForm): Problems | undefined {
  const isAddress = email.length <= 254 && Object.keys(emailErrors(email, null)).length === 0
  const problems: Problems = {
    ...(!name && { name: 'required' as const }),
    ...(!email ? { email: 'required' as const } : !isAddress && { email: 'email_invalid' as const }),
    ...(passwordProblem(password) && { password: 'password_length' as const }),
  }
  if (Object.keys(problems).length === 0) return undefined
  return { ...problems, places: { length: SHORTEST, most: LONGEST }, status: 422 }
}
