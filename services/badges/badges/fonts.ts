import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { create, type Font, type GlyphRun } from 'fontkit'
import { unpacked } from './font-file.ts'
import { type Shaped, shaperOf } from './shaping.ts'

/** Font weight. */
export type Weight = 400 | 700

/** An opened font file. */
export interface Face {
  /** Unique. */
  name: string
  /** For pdfkit. Its layout is done by HarfBuzz. */
  font: Font
  /** Shapes text, to measure it. */
  shaped(text: string): Shaped
}

/** A font file and the scripts for which it is tried. */
interface Source {
  /** A path in a package; after `#` one relative to the package's entry, if it exports no paths. */
  file: string
  scripts: RegExp
}

const EMOJI = '@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff'
const NEUTRAL = /^[\p{scx=Zyyy}\p{scx=Zinh}]+$/u
/** Parts of Noto Sans. */
const NOTO = {
  latin: 'Latn',
  'latin-ext': 'Latn',
  cyrillic: 'Cyrl',
  'cyrillic-ext': 'Cyrl',
  greek: 'Grek',
  'greek-ext': 'Grek',
  vietnamese: 'Latn',
  devanagari: 'Deva',
}
/** Packages of Noto Sans for one script. */
const NOTO_BY_SCRIPT = {
  hebrew: 'Hebr',
  thai: 'Thai',
  georgian: 'Geor',
  armenian: 'Armn',
  tamil: 'Taml',
  ethiopic: 'Ethi',
  gujarati: 'Gujr',
  telugu: 'Telu',
  kannada: 'Knda',
  malayalam: 'Mlym',
  sinhala: 'Sinh',
  khmer: 'Khmr',
}
// Includes Latin letters of full width.
const EAST_ASIAN = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\u2160-\u217f\uff00-\uffef]/u

/** The fonts, in the order in which they are tried. Han letters have their simplified forms; Odia, Burmese, Lao, Tibetan and Javanese have no font. */
function sourcesOf(weight: Weight): Source[] {
  const style = { 400: 'Regular', 700: 'Bold' }[weight]
  const sourceOf = (name: string, part: string, script: string): Source => ({
    file: `@fontsource/${name}/files/${name}-${part}-${weight}-normal.woff`,
    scripts: new RegExp(`\\p{scx=${script}}`, 'u'),
  })
  return [
    ...Object.entries(NOTO).map(([part, script]) => sourceOf('noto-sans', part, script)),
    ...Object.entries(NOTO_BY_SCRIPT).map(([name, script]) => sourceOf(`noto-sans-${name}`, name, script)),
    // Not Noto Sans Arabic: its dots are separate glyphs, which are missing in text copied from the badge.
    sourceOf('ibm-plex-sans-arabic', 'arabic', 'Arab'),
    sourceOf('hind-siliguri', 'bengali', 'Beng'),
    sourceOf('mukta-mahee', 'gurmukhi', 'Guru'),
    { file: `@embedpdf/fonts-sc#../fonts/NotoSansHans-${style}.otf`, scripts: EAST_ASIAN },
    // These have letters beyond the first plane that people of Japan, Hong Kong and Taiwan have in their names: 𠮷, 𩸽, 𤭮.
    { file: `@embedpdf/fonts-jp#../fonts/NotoSansJP-${style}.otf`, scripts: EAST_ASIAN },
    { file: `@embedpdf/fonts-tc#../fonts/NotoSansHant-${style}.otf`, scripts: EAST_ASIAN },
    { file: `@embedpdf/fonts-kr#../fonts/NotoSansKR-${style}.otf`, scripts: EAST_ASIAN },
    // It has no letters. Node may not know the script of its newest pictures.
    { file: EMOJI, scripts: /^\P{L}+$/u },
  ]
}

const SOURCES = { 400: sourcesOf(400), 700: sourcesOf(700) }

const opened = new Map<string, Face>()

/** A font. It is opened when it is first needed, so a name in Latin letters loads none of the large ones. */
function open(file: string): Face {
  const known = opened.get(file)
  if (known) return known
  const [entry = '', path = ''] = file.split('#')
  const bytes = unpacked(readFileSync(new URL(path, import.meta.resolve(entry))))
  const name = basename(file, extname(file))
  const font = create(bytes) as Font
  const shaped = shaperOf(bytes)
  // All parts of a family have the same name, and pdfkit identifies fonts by it.
  Object.defineProperty(font, 'postscriptName', { value: name })
  // pdfkit reads only these fields of fontkit's runs and glyphs.
  font.layout = (text) => shaped(text) as unknown as GlyphRun
  const face = { name, font, shaped }
  opened.set(file, face)
  return face
}

/** Joiners and variation selectors, which have no glyph. */
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
 * The font for a grapheme cluster: the one in use if it has the cluster, unless that is the emoji font. A letter that no font has is drawn as
 * a sign that says so, where the font would draw an empty box, and marks alone are not drawn.
 */
export function faceFor(cluster: string, weight: Weight, inUse: Face | undefined): Drawn {
  // Spaces of the emoji font are as wide as its pictures.
  if (inUse && inUse !== opened.get(EMOJI) && shows(inUse, cluster)) return { face: inUse, text: cluster }
  const instead = MARKS.test(cluster) ? '' : EAST_ASIAN.test(cluster) ? GETA : UNKNOWN
  return (
    drawn(cluster, weight) ??
    drawn(instead, weight) ?? { face: open((SOURCES[weight][0] as Source).file), text: instead }
  )
}

/** What printers of East Asia set for a character that they lack. */
const GETA = '〓'
const UNKNOWN = '?'

const MARKS = /^\p{M}+$/u

/** A cluster that some font has: the given one, its plain letters (Ada for 𝓐𝓭𝓪), or its letters without their marks. */
function drawn(cluster: string, weight: Weight): Drawn | undefined {
  const bare = cluster.normalize('NFKD').replace(/\p{M}/gu, '')
  for (const text of new Set([cluster, cluster.normalize('NFKC'), bare])) {
    const face = text && faceWith(text, weight)
    if (face) return { face, text }
  }
  return undefined
}

/** The first font that has a grapheme cluster. Fonts of other scripts stay closed, which saves time and memory. */
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

/** Whether any of the grapheme clusters has a font. Spaces and punctuation count only if there is nothing else. */
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
