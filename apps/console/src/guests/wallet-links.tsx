import { useEffect, useState } from 'preact/hooks'
import { client, type PathParams } from '../server/server.ts'
import { useConsole } from '../view/console.ts'

const WALLET = '/api/v1/events/{event_id}/guests/{guest_id}/wallet.json'

interface Links {
  apple_url?: string | null
  google_url?: string | null
}

/** Links to the passes of a guest, to save or to pass on; none where the installation makes no passes. */
export function WalletLinks({ params }: { params: PathParams }) {
  const { say } = useConsole()
  const [{ apple_url, google_url }, setLinks] = useState<Links>({})
  const { event_id = '', id: guest_id = '' } = params
  useEffect(() => {
    const stop = new AbortController()
    client
      .GET(WALLET, { params: { path: { event_id, guest_id } }, signal: stop.signal })
      .then(({ data }) => setLinks(data))
      // The rest of the page does without.
      .catch(() => setLinks({}))
    return () => stop.abort()
  }, [event_id, guest_id])
  return (
    <>
      {apple_url && (
        <a class="button second" href={apple_url}>
          {say('guest_apple_wallet')}
        </a>
      )}
      {google_url && (
        <a class="button second" href={google_url} target="_blank" rel="noreferrer">
          {say('guest_google_wallet')}
        </a>
      )}
    </>
  )
}
