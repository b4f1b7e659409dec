import { client } from '../server/server.ts'
import { asFile, LogoUpload } from '../view/logo-upload.tsx'

const LOGO = '/api/v1/events/{event_id}/badge_templates/{id}/logo.json'

interface Props {
  event_id: string
  id: string
  hasLogo: boolean
  onChange: (hasLogo: boolean) => void
}

/** The logo of a badge template, which the preview shows. */
export function TemplateLogo({ event_id, id, hasLogo, onChange }: Props) {
  const params = { path: { event_id, id } }
  const uploads = async (file: File) => {
    await client.PUT(LOGO, { params, ...asFile(file) })
    onChange(true)
  }
  const removes = async () => {
    await client.DELETE(LOGO, { params })
    onChange(false)
  }
  return (
    <LogoUpload
      words="badge_logo"
      picture={null}
      {...{ hasLogo }}
      upload={uploads}
      remove={removes}
      onChange={() => {}}
    />
  )
}
