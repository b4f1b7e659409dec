import { useEffect, useState } from 'preact/hooks'

/** Whether the page is being printed. The component renders again when that changes, before paper has it. */
export function useIsPrinting(): boolean {
  const [query] = useState(() => matchMedia('print'))
  const [isPrinting, setPrinting] = useState(query.matches)
  useEffect(() => {
    const follow = () => setPrinting(query.matches)
    const begin = () => setPrinting(true)
    const end = () => setPrinting(false)
    query.addEventListener('change', follow)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      query.removeEventListener('change', follow)
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [query])
  return isPrinting
}
