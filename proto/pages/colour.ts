/** The colours of buttons and of their text. */
export interface Colours {
  background: string
  text: '#000000' | '#ffffff'
}

const DEFAULT = '#1f4fd8'

/**
 * The button colours for an account's colour (`#1f4fd8`, `#fff`): the text is black or white, whichever has more contrast, which is always
 * 4.5 or more. Any other value gives the default colour.
 */
export function coloursOf(brand: string | null | undefined): Colours {
  const background = normalized(brand ?? '') ?? DEFAULT
  const light = luminance(background)
  return { background, text: 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#ffffff' : '#000000' }
}

function normalized(colour: string): string | undefined {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return colour.toLowerCase()
  if (/^#[0-9a-f]{3}$/i.test(colour))
    return `#${[...colour.slice(1)].map((digit) => digit + digit).join('')}`.toLowerCase()
  return undefined
}

/** Relative luminance, by WCAG 2. */
export function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
