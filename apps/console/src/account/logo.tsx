import { client } from '../server/server.ts'
import { useConsole } from '../view/console.ts'
import { asFile, LogoUpload } from '../view/logo-upload.tsx'
import { logoPathOf } from './guest-page-preview.tsx'

const LOGO = '/api/v1/account/logo.json'

interface Props {
  url: string | null
  name: string
  onChange: () => void
}

/** The account's logo. */
export function Logo({ url, name, onChange }: Props) {
  const { say } = useConsole()
  return (
    <LogoUpload
      words="account_logo"
      picture={url === null ? null : { path: logoPathOf(url), alt: say('account_logo_of', { name }) }}
      hasLogo={url !== null}
      upload={(file) => client.PUT(LOGO, asFile(file))}
      remove={() => client.DELETE(LOGO)}
      onChange={onChange}
    />
  )
}
