import { useEffect, useState } from 'preact/hooks'

/** The part of the page that is visible: less than the window while a keyboard covers it or the page is zoomed. In pixels of the window. */
export type VisiblePart = Record<'top' | 'left' | 'width' | 'maxHeight', string>

/** Where the visible part of the page is; undefined where the browser does not tell. */
export function useVisiblePart(): VisiblePart | undefined {
  const [part, setPart] = useState(visiblePart)
  useEffect(() => {
    const viewport = window.visualViewport
    const follow = () => setPart(visiblePart)
    for (const event of ['resize', 'scroll']) viewport?.addEventListener(event, follow)
    return () => {
      for (const event of ['resize', 'scroll']) viewport?.removeEventListener(event, follow)
    }
  }, [])
  return part
}

function visiblePart(): VisiblePart | undefined {
  const viewport = window.visualViewport
  if (!viewport) return undefined
  const { offsetTop, offsetLeft, width, height } = viewport
  return { top: `${offsetTop}px`, left: `${offsetLeft}px`, width: `${width}px`, maxHeight: `${height}px` }
}
