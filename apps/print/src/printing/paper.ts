import type { BadgePicture } from './print.ts'

/** A6. */
const USUAL = { width_mm: 105, height_mm: 148 }

/** Makes the page that is printed as large as a badge. Its policy takes no style of a page, but rules of a style sheet may change. */
export function setPaper(picture: Pick<BadgePicture, 'width_mm' | 'height_mm'> = USUAL): void {
  const size = `${picture.width_mm}mm ${picture.height_mm}mm`
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules) if (rule instanceof CSSPageRule) rule.style.size = size
}
