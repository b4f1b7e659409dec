import { SaveFile } from '../../../shared/src/view/save-file.tsx'
import { signatureBody } from '../signing/signature.ts'
import type { ViewProps } from './props.ts'

/** Says how many signatures wait that this device cannot send, and saves them. */
export function UnsentSignatures({ scanner, say, count }: ViewProps & { count: number }) {
  if (count === 0) return null
  const text = async () => {
    const items = (await scanner.unsentSignatures()).map(signatureBody)
    return JSON.stringify({ signatures: items }, null, 2)
  }
  return (
    <div class="notice">
      <p>{say('signatures_kept', { count })}</p>
      <SaveFile name="signatures.json" text={text} words={say('save_signatures')} />
    </div>
  )
}
