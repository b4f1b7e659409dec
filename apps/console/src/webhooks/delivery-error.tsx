import type { CellProps } from '../resources/resource.ts'
import type { TextKey } from '../texts/words.ts'
import { Nothing } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'

/** Why a receiver has not answered, by the codes of Node.js, of its resolver and of undici. */
const REASONS: readonly [RegExp, TextKey][] = [
  [/timeout|timedout/i, 'delivery_too_slow'],
  [/^(ECONNREFUSED|E(HOST|NET)(UNREACH|DOWN))$/, 'delivery_nobody'],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EBADNAME|EBADRESP|EAI_\w+)$/, 'delivery_unknown_name'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, 'delivery_broken'],
  [/CERT|_TLS_|_SSL_|^EPROTO$/, 'delivery_certificate'],
  [/^ERR_REFUSED_ADDRESS$/, 'error_not_public_address'],
  [/ 410$/, 'delivery_unwanted'],
  [/disabled$/, 'delivery_off'],
]

/** Says why a delivery had no answer, with the code for whoever runs the receiver. */
export function DeliveryError({ item: { error } }: CellProps) {
  const { say } = useConsole()
  if (typeof error !== 'string' || error === '') return <Nothing />
  const [, reason = 'delivery_failed'] = REASONS.find(([codes]) => codes.test(error)) ?? []
  return (
    <>
      {say(reason)} {/\s/.test(error) || <code class="api-name">{error}</code>}
    </>
  )
}
