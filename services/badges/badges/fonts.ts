import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { create, type Font, type GlyphRun } from 'fontkit'
import { unpacked } from './font-file.ts'
import { type Shaped, shaperOf } from './shaping.ts'

/** How heavy letters are. */
export type Weight = 400 | 700

/** A font file, by a name of its own. */
export interface Face {
  name: string
  /** To draw with. It shapes text by HarfBuzz. */
  font: Font
  /** Gives text its form, to measure it. */
  shaped(text: string): Shaped
}

/** A file that may have letters of some scripts. */
interface Source {
  /** A path of a package, or one seen from its entry, after `#`, where it exports no paths. */
  file: string
  scripts: RegExp
}

const EMOJI = '@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff'
const NEUTRAL = /^[\p{scx=Zyyy}\p{scx=Zinh}]+$/u
const NOTO = {
  latin: /\p{scx=Latn}/u,
  'latin-ext': /\p{scx=Latn}/u,
  cyrillic: /\p{scx=Cyrl}/u,
  'cyrillic-ext': /\p{scx=Cyrl}/u,
  greek: /\p{scx=Grek}/u,
  'greek-ext': /\p{scx=Grek}/u,
  vietnamese: /\p{scx=Latn}/u,
  devanagari: /\p{scx=Deva}/u,
}
const NOTO_BY_SCRIPT = {
  hebrew: /\p{scx=Hebr}/u,
  thai: /\p{scx=Thai}/u,
  georgian: /\p{scx=Geor}/u,
  armenian: /\p{scx=Armn}/u,
  tamil: /\p{scx=Taml}/u,
  ethiopic: /\p{scx=Ethi}/u,
  gujarati: /\p{scx=Gujr}/u,
  telugu: /\p{scx=Telu}/u,
  kannada: /\p{scx=Knda}/u,
  malayalam: /\p{scx=Mlym}/u,
  sinhala: /\p{scx=Sinh}/u,
  khmer: /\p{scx=Khmr}/u,
}
// Latin letters as wide as Han ones as well.
const EAST_ASIAN = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\u2160-\u217f\uff00-\uffef]/u

/** Where letters are looked for, in this order. Han letters have their simplified forms. */
function sourcesOf(weight: Weight): Source[] {
  const style = { 400: 'Regular', 700: 'Bold' }[weight]
  return [
    ...Object.entries(NOTO).map(([part, scripts]) => ({
      file: `@fontsource/noto-sans/files/noto-sans-${part}-${weight}-normal.woff`,
      scripts,
    })),
    ...Object.entries(NOTO_BY_SCRIPT).map(([script, scripts]) => ({
      file: `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-${weight}-normal.woff`,
      scripts,
    })),
    // Not Noto Sans Arabic: it draws dots by themselves, and text copied from the badge has lost them.
    {
      file: `@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-${weight}-normal.woff`,
      scripts: /\p{scx=Arab}/u,
    },
    { file: `@fontsource/hind-siliguri/files/hind-siliguri-bengali-${weight}-normal.woff`, scripts: /\p{scx=Beng}/u },
    { file: `@fontsource/mukta-mahee/files/mukta-mahee-gurmukhi-${weight}-normal.woff`, scripts: /\p{scx=Guru}/u },
    { file: `@embedpdf/fonts-sc#../fonts/NotoSansHans-${style}.otf`, scripts: EAST_ASIAN },
    { file: `@embedpdf/fonts-kr#../fonts/NotoSansKR-${style}.otf`, scripts: EAST_ASIAN },
    // It has no letters. Its newest pictures may have no script yet as far as Node knows.
    { file: EMOJI, scripts: /^\P{L}+$/u },
  ]
}

const SOURCES = { 400: sourcesOf(400), 700: sourcesOf(700) }

const opened = new Map<string, Face>()

/** A font, opened when it is first needed and then kept: a name in Latin letters needs none of the large ones. */
function open(file: string): Face {
  const known = opened.get(file)
  if (known) return known
  const [entry = '', path = ''] = file.split('#')
  const bytes = unpacked(readFileSync(new URL(path, import.meta.resolve(entry))))
  const name = basename(file, extname(file))
  const font = create(bytes) as Font
  const shaped = shaperOf(bytes)
  // The parts of a family all have the same name, by which pdfkit would take one for the other.
  Object.defineProperty(font, 'postscriptName', { value: name })
  // Of fontkit's many, pdfkit reads these fields of a run and of its glyphs.
  font.layout = (text) => shaped(text) as unknown as GlyphRun
  const face = { name, font, shaped }
  opened.set(file, face)
  return face
}

/** Joins letters or chooses between their forms, and has no form of its own. */
const INVISIBLE = /^[\p{Cf}\p{Variation_Selector}]$/u
const PICTOGRAPH = /\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator}/u

function shows({ font }: Face, cluster: string): boolean {
  for (const letter of cluster) {
    if (!INVISIBLE.test(letter) && !font.hasGlyphForCodePoint(letter.codePointAt(0) as number)) return false
  }
  return true
}

/** How a grapheme cluster is drawn. */
export interface Drawn {
  face: Face
  text: string
}

/**
 * The font for a grapheme cluster: the one in use as long as it has it (emoji aside). Where none has, a letter is a box, and marks by
 * themselves are nothing.
 */
export function faceFor(cluster: string, weight: Weight, inUse: Face | undefined): Drawn {
  // Its blanks are as wide as its pictures.
  if (inUse && inUse !== opened.get(EMOJI) && shows(inUse, cluster)) return { face: inUse, text: cluster }
  const text = MARKS.test(cluster) ? '' : cluster
  return drawn(cluster, weight) ?? { face: open((SOURCES[weight][0] as Source).file), text }
}

const MARKS = /^\p{M}+$/u

/** A grapheme cluster, or as plain letters what no font has otherwise (Ada for 𝓐𝓭𝓪), or letters without their marks. */
function drawn(cluster: string, weight: Weight): Drawn | undefined {
  const bare = cluster.normalize('NFKD').replace(/\p{M}/gu, '')
  for (const text of new Set([cluster, cluster.normalize('NFKC'), bare])) {
    const face = text && faceWith(text, weight)
    if (face) return { face, text }
  }
  return undefined
}

/** The first font that has a grapheme cluster. Fonts of other scripts are not even opened, to save time and memory. */
function faceWith(cluster: string, weight: Weight): Face | undefined {
  if (PICTOGRAPH.test(cluster) && shows(open(EMOJI), cluster)) return open(EMOJI)
  const isNeutral = NEUTRAL.test(cluster)
  for (const { file, scripts } of SOURCES[weight]) {
    if (!isNeutral && !scripts.test(cluster)) continue
    const face = open(file)
    if (shows(face, cluster)) return face
  }
  return undefined
}

/** Whether there is a font for any of the grapheme clusters; blanks and punctuation count only where there is nothing else. */
export function isLegible(clusters: string[], weight: Weight): boolean {
  let isEmpty = true
  for (const cluster of clusters) {
    if (PUNCTUATION.test(cluster)) continue
    if (drawn(cluster, weight)) return true
    isEmpty = false
  }
  return isEmpty
}

const PUNCTUATION = /^[\s\p{P}\p{Cf}]+$/u
