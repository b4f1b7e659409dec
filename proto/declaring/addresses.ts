import { domainToASCII } from 'node:url'

/**
 * What e-mail addresses are compared by: lower case, the domain in ASCII; nothing else is folded. Undefined for a domain that has no ASCII
 * form.
 */
export function normalized(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const domain = normalizedDomain(email.slice(at + 1))
  return domain && `${email.slice(0, at).toLowerCase()}@${domain}`
}

/** What domains are compared by. */
export function normalizedDomain(domain: string): string | undefined {
  return domainToASCII(domain) || undefined
}

/** The domain of a normalized address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
