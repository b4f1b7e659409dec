import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { create, type Font } from 'fontkit'
import { unpacked } from './woff.ts'

/** How heavy letters are. */
export type Weight = 400 | 700

/** A font file, by a name of its own. */
export interface Face {
  name: string
  /** To measure with. */
  font: Font
  /**
   * The font for one document, good until it is asked for again: a font remembers of each letter what it was asked for first, and a part of
   * Ñ is no N to copy.
   */
  fresh(): Font
}

const NOTO = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese', 'devanagari']
const SCRIPTS = ['hebrew', 'thai', 'georgian', 'armenian', 'tamil', 'ethiopic']
const STYLES = { 400: 'Regular', 700: 'Bold' }
const EMOJI = '@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff'

/**
 * Where letters are looked for, in this order: a path of a package, or one seen from its entry, after `#`, where it exports no paths. Han letters
 * have their simplified forms.
 */
function filesOf(weight: Weight): string[] {
  return [
    ...NOTO.map((part) => `@fontsource/noto-sans/files/noto-sans-${part}-${weight}-normal.woff`),
    ...SCRIPTS.map(
      (script) => `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-${weight}-normal.woff`,
    ),
    // Not Noto Sans Arabic: it draws dots by themselves, and text copied from the badge has lost them.
    `@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-${weight}-normal.woff`,
    // Nor Noto Sans Bengali and Gurmukhi: fontkit puts their marks in the wrong place, or none at all.
    `@fontsource/hind-siliguri/files/hind-siliguri-bengali-${weight}-normal.woff`,
    `@fontsource/mukta-mahee/files/mukta-mahee-gurmukhi-${weight}-normal.woff`,
    `@embedpdf/fonts-sc#../fonts/NotoSansHans-${STYLES[weight]}.otf`,
    `@embedpdf/fonts-kr#../fonts/NotoSansKR-${STYLES[weight]}.otf`,
    EMOJI,
  ]
}

const opened = new Map<string, Face>()

/** A font, opened when it is first needed and then kept: a name in Latin letters needs none of the large ones. */
function open(file: string): Face {
  const known = opened.get(file)
  if (known) return known
  const [entry = '', path = ''] = file.split('#')
  const bytes = unpacked(readFileSync(new URL(path, import.meta.resolve(entry))))
  const name = basename(file, extname(file))
  const drawing = forgiving(create(bytes) as Font)
  // The parts of a family all have the same name, by which pdfkit would take one for the other.
  Object.defineProperty(drawing, 'postscriptName', { value: name })
  const face = {
    name,
    font: forgiving(create(bytes) as Font),
    // Only its letters are forgotten: reading its tables anew takes longer than drawing a badge.
    fresh: () => Object.assign(drawing, { _glyphs: {} }),
  }
  opened.set(file, face)
  return face
}

/** A font may tie a mark to no place of a letter, where fontkit fails: there all marks of the text stand where they come. */
function forgiving(font: Font): Font {
  const layout = font.layout.bind(font)
  font.layout = (text, features) => {
    try {
      return layout(text, features)
    } catch {
      return layout(text, { mark: false, mkmk: false })
    }
  }
  return font
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

/** The font for a grapheme cluster: the one in use as long as it has it (emoji aside); where none has, the first, which shows a box. */
export function faceFor(cluster: string, weight: Weight, inUse: Face | undefined): Face {
  // Its blanks are as wide as its pictures.
  if (inUse && inUse !== opened.get(EMOJI) && shows(inUse, cluster)) return inUse
  const files = filesOf(weight)
  for (const file of PICTOGRAPH.test(cluster) ? [EMOJI, ...files] : files) {
    const face = open(file)
    if (shows(face, cluster)) return face
  }
  return open(files[0] as string)
}
