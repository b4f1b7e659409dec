import { coloursOf } from '@gatehouse/proto/pages/colour.ts'
import type { Language } from '@gatehouse/proto/pages/languages.ts'
import { textsIn } from '../texts/texts.ts'
import { useConsole } from '../view/console.ts'
import { useLoaded } from '../view/loaded.ts'

interface Props {
  name: string
  /** The one in which guests read it. */
  language: Language
  colour: string
  logo: string | null
}

/** A page as guests see it, in small: the account's logo and name above a card with a button in its colour. */
export function GuestPagePreview({ name, language, colour, logo }: Props) {
  const { say } = useConsole()
  const { value: sayToGuests = say } = useLoaded(() => textsIn(language), [language])
  const { background, text } = coloursOf(colour)
  return (
    <figure class="guest-page wide">
      <figcaption>{say('account_preview')}</figcaption>
      <div class="page">
        <div class="bar" style={{ background }} />
        {logo !== null && <img src={logoPathOf(logo)} alt="" />}
        <strong>{name}</strong>
        <div class="card">
          <span class="title" lang={language}>
            {sayToGuests('account_preview_title')}
          </span>
          <span class="act" lang={language} style={{ background, color: text }}>
            {sayToGuests('account_preview_act')}
          </span>
        </div>
      </div>
    </figure>
  )
}

/** The address of a logo at this very gateway, from which alone the page may load pictures. */
export function logoPathOf(url: string): string {
  return new URL(url).pathname
}
