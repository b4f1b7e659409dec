/**
 * The letters beyond ASCII of languages, in lower case, by the encoding in which old spreadsheets of their countries save. A text is of the
 * language that has most of its letters.
 */
export const alphabets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'windows-1252': {
    fr: 'éèêëàâçîïôùûüœæ',
    de: 'äöüß',
    es: 'áéíóúñü',
    pt: 'áàâãçéêíóôõú',
    it: 'àèéìòù',
    nl: 'éëïöüèá',
    sv: 'åäöé',
    da: 'æøåé',
    fi: 'äöå',
    is: 'áðéíóúýþæö',
    ca: 'àéèíïóòúüç',
  },
  'windows-1250': {
    pl: 'ąćęłńóśźż',
    cs: 'áčďéěíňóřšťúůýž',
    sk: 'áäčďéíĺľňóôŕšťúýž',
    hu: 'áéíóöőúüű',
    ro: 'ăâîșțşţ',
    hr: 'čćđšž',
  },
  'windows-1251': {
    ru: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
    uk: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя',
    bg: 'абвгдежзийклмнопрстуфхцчшщъьюя',
    sr: 'абвгдђежзијклљмнњопрстћуфхцчџш',
  },
  macintosh: {
    fr: 'éèêëàâçîïôùûüœæ',
    de: 'äöüß',
    es: 'áéíóúñü',
    pt: 'áàâãçéêíóôõú',
    it: 'àèéìòù',
    sv: 'åäöé',
    da: 'æøåé',
  },
  shift_jis: { ja: '' },
  gb18030: { zh: '' },
}
