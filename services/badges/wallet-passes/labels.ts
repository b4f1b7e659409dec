import type { Language } from '@gatehouse/proto/pages/languages.ts'

/** The labels of a pass's fields. */
export type Label = 'date' | 'place' | 'guest' | 'category' | 'persons' | 'organizer'

/** The labels in each language, of which a phone shows its own. */
export const labels: Record<Language, Record<Label, string>> = {
  en: {
    date: 'Date',
    place: 'Place',
    guest: 'Guest',
    category: 'Category',
    persons: 'People',
    organizer: 'Organizer',
  },
  fr: {
    date: 'Date',
    place: 'Lieu',
    guest: 'Invité',
    category: 'Catégorie',
    persons: 'Personnes',
    organizer: 'Organisateur',
  },
  es: {
    date: 'Fecha',
    place: 'Lugar',
    guest: 'Invitado',
    category: 'Categoría',
    persons: 'Personas',
    organizer: 'Organizador',
  },
  de: {
    date: 'Datum',
    place: 'Ort',
    guest: 'Gast',
    category: 'Kategorie',
    persons: 'Personen',
    organizer: 'Veranstalter',
  },
  pt: {
    date: 'Data',
    place: 'Local',
    guest: 'Convidado',
    category: 'Categoria',
    persons: 'Pessoas',
    organizer: 'Organizador',
  },
  it: {
    date: 'Data',
    place: 'Luogo',
    guest: 'Ospite',
    category: 'Categoria',
    persons: 'Persone',
    organizer: 'Organizzatore',
  },
  nl: {
    date: 'Datum',
    place: 'Locatie',
    guest: 'Gast',
    category: 'Categorie',
    persons: 'Personen',
    organizer: 'Organisator',
  },
  pl: {
    date: 'Data',
    place: 'Miejsce',
    guest: 'Gość',
    category: 'Kategoria',
    persons: 'Osoby',
    organizer: 'Organizator',
  },
  sv: {
    date: 'Datum',
    place: 'Plats',
    guest: 'Gäst',
    category: 'Kategori',
    persons: 'Personer',
    organizer: 'Arrangör',
  },
  ja: { date: '日時', place: '場所', guest: 'ゲスト', category: 'カテゴリー', persons: '人数', organizer: '主催者' },
}
