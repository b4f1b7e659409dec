/** Folds an e-mail address: spellings that people take for the same address give the same text. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
