import { optionalText } from '@gatehouse/proto/declaring/fields.ts'

/** A label of a host name, as a pattern. */
export const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const NAME = `(\\*\\.)?(${LABEL}\\.)*${LABEL}`

/** The setting for the host names that accounts may take. */
export const ssoHostSettings = {
  sso_hosts: optionalText({
    maxLength: 10_000,
    pattern: `^ *${NAME} *(, *${NAME} *)*$`,
    description:
      'Host names that accounts may take, separated by commas; *.example.org: all below. Any where not given',
  }),
}

/** Whether the setting permits a host name, in small letters; null permits any. */
export function isAllowedHost(setting: string | null, host: string): boolean {
  if (setting === null) return true
  const names = setting.split(',').map((name) => name.trim().toLowerCase())
  return names.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name))
}
