import { text } from '../declaring/fields.ts'

/** The address of a gateway whose settings name no other. */
export const DEFAULT_PUBLIC_URL = 'http://127.0.0.1:8080'

/** The setting of a process that has to know where the gateway is reached from outside. */
export const publicUrlSettings = {
  public_url: text({
    default: DEFAULT_PUBLIC_URL,
    pattern: '^https?://[^\\s?#]+$',
    maxLength: 2_000,
    description:
      'Where the gateway is reached from outside: links and the issuers of single sign-on begin with it, and the console takes changes from pages of this origin alone',
  }),
}

/** What links need that nobody can guess. */
export interface LinkConfig {
  public_url: string
  secrets_key: string
}
