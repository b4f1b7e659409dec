import type { GuestField } from '@gatehouse/guests/resources'
import { normalized } from '@gatehouse/proto/declaring/addresses.ts'
import { emailErrors } from '@gatehouse/proto/declaring/email.ts'
import type { InvitationPageContext } from '../invitation-pages/languages.ts'
import { type FormField, MAX_NAME, readForm } from '../registrations/form.ts'
import type { GivenRegistration } from '../registrations/store.ts'

const NOTHING_KNOWN = { first_name: null, last_name: null, guest_metadata: [] }

/** The form of a registration page as it is shown, and what was given if nothing is wrong. */
interface ReadRegistration {
  fields: FormField[]
  given: GivenRegistration | null
}

/** The form of a registration page, with what was given. */
export function readRegistration(
  { say, language }: InvitationPageContext,
  asked: readonly GuestField[],
  party_max: number,
  form?: URLSearchParams,
): ReadRegistration {
  const { fields, registration, isRight } = readForm(asked, NOTHING_KNOWN, form)
  const email = emailField(say('email'), form)
  const party = partyField(say('party_size'), party_max, form)
  const all = [...fields.slice(0, 2), email, ...(party_max > 1 ? [party] : []), ...fields.slice(2)]
  const address = normalized(email.value)
  const isWhole = form !== undefined && isRight && !email.problem && !party.problem && address !== undefined
  return {
    fields: all,
    given: isWhole
      ? {
          address,
          email: email.value,
          party_size: Number(party.value),
          registration: { ...registration, language },
        }
      : null,
  }
}

/** The e-mail address of a form, as it was typed and as it is compared; undefined if it is none. */
export function emailOf(form: URLSearchParams): Pick<GivenRegistration, 'email' | 'address'> | undefined {
  const { value: email, problem } = emailField('', form)
  const address = normalized(email)
  return problem || address === undefined ? undefined : { email, address }
}

function emailField(label: string, form: URLSearchParams | undefined): FormField {
  const value = (form?.get('email') ?? '').trim()
  const field = { name: 'email', label, value, isRequired: true, max: MAX_NAME, autocomplete: 'email' }
  const isWrong = value.length > MAX_NAME || emailErrors(value, null).email || normalized(value) === undefined
  const problem = value === '' ? ('missing' as const) : isWrong ? ('invalid_email' as const) : undefined
  return { ...field, type: 'email', ...(form && problem && { problem }) }
}

function partyField(label: string, max: number, form: URLSearchParams | undefined): FormField {
  const value = (max > 1 && form?.get('party_size')?.trim()) || '1'
  const isRight = /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= max
  const field = { name: 'party_size', label, value, isRequired: true, max, type: 'number' as const }
  return { ...field, ...(!isRight && { problem: 'party_range' as const }) }
}
