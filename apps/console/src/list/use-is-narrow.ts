import { useEffect, useState } from 'preact/hooks'

/** Windows in which the menu is behind a button and lists are cards, as the style sheet has it. */
const NARROW = '(max-width: 48rem)'

/** Whether the window is as narrow as a phone's. The component renders again when that changes. */
export function useIsNarrow(): boolean {
  const [query] = useState(() => matchMedia(NARROW))
  const [isNarrow, setNarrow] = useState(query.matches)
  useEffect(() => {
    const follow = () => setNarrow(query.matches)
    follow()
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [query])
  return isNarrow
}
