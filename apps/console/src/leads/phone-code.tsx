import { QrCode, Unreachable } from '../devices/device-code.tsx'
import type { Item } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { CopyButton } from '../view/once.tsx'
import { useTimes } from '../view/times.ts'

/** The link that makes a phone one of an exhibitor's stand: to be scanned by the phone, sent to the exhibitor, or printed. */
export function PhoneCode({ answer }: { answer: Item }) {
  const { say } = useConsole()
  const times = useTimes()
  const { name, code, url, qr_code, code_expires_at } = answer as Record<string, string>
  const { hostname } = new URL(String(url))
  return (
    <section class="notice device-code printed" aria-label={code}>
      <div>
        <strong>{name}</strong>
        <p>{say('phone_link')}</p>
        <Unreachable host={hostname} />
        <code class="secret">{url}</code>
        <p>{say('phone_link_until', { time: times.at(String(code_expires_at)) })}</p>
        <p class="no-print">{say('phone_link_once')}</p>
        <div class="buttons no-print">
          <CopyButton text={String(url)} label={say('view_copy')} />
          <button type="button" class="second" onClick={() => print()}>
            {say('sheet_print')}
          </button>
        </div>
      </div>
      <QrCode svg={String(qr_code)} label={String(code)} />
    </section>
  )
}
