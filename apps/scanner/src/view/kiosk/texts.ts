import { useEffect, useState } from 'preact/hooks'
import { pageLanguage } from '../../../../shared/src/view/now.ts'
import type { KioskSay } from '../../texts/say.ts'
import { loadKiosk } from '../../texts/texts.ts'
import type { ViewProps } from '../props.ts'

let loaded: KioskSay | undefined

/** The texts of kiosk mode and of the PIN; undefined until they are loaded, when they are first needed. */
export function useKioskTexts(): KioskSay | undefined {
  const [texts, setTexts] = useState(() => loaded)
  useEffect(() => {
    if (texts) return
    void loadKiosk(pageLanguage()).then((given) => {
      loaded = given
      setTexts(() => given)
    })
  }, [])
  return texts
}

/** What each view of kiosk mode and of the PIN gets. */
export interface KioskProps extends ViewProps {
  kiosk: KioskSay
}
