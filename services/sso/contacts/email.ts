/** The same for every spelling of an e-mail address that people take for the same. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
