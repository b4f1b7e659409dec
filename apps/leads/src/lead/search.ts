import type { StoredLead } from './lead.ts'

/** The leads in which each of these words occurs, in any case and with or without accents. */
export function withWords(leads: readonly StoredLead[], words: string): StoredLead[] {
  const wanted = plain(words).split(' ').filter(Boolean)
  return leads.filter((lead) => {
    const text = plain(
      [lead.name, lead.guest_uid, lead.note, lead.author, ...Object.values(lead.guest ?? {})].join(' '),
    )
    return wanted.every((word) => text.includes(word))
  })
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}
