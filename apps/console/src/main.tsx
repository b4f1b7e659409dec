import { localeOf } from '@gatehouse/proto/pages/languages.ts'
import { render } from 'preact'
import { routeOf } from './route/route.ts'
import { firstSession, firstTexts } from './session/first-requests.ts'
import { readSession, returnToPlace, type Session } from './session/session.ts'
import { chooseLanguage, chosenLanguage, loadTexts } from './texts/texts.ts'
import { App } from './view/app.tsx'
import { ConsoleContext } from './view/console.ts'
import { fetchPage } from './view/pages.ts'
import { SignIn } from './view/sign-in.tsx'
import { chosenTheme, showTheme } from './view/theme.ts'
import { Awaited, Unanswered } from './view/unanswered.tsx'

/** After how long it is said that the server takes its time. */
const LATE_MS = 1_000

const root = document.querySelector('#app') as HTMLElement
let language = chosenLanguage()
fetchPage(routeOf(location.hash))
let say = await firstTexts
showTheme(chosenTheme())
await start(firstSession)

async function start(reading: Promise<Session | undefined>): Promise<void> {
  // Requests are tried again for seconds.
  const isLate = setTimeout(() => render(<Awaited say={say} />, root), LATE_MS)
  try {
    const session = await reading
    if (session) returnToPlace()
    draw(session)
  } catch {
    render(<Unanswered say={say} retry={() => void start(readSession())} />, root)
  } finally {
    clearTimeout(isLate)
  }
}

function draw(session: Session | undefined): void {
  document.title = say('sign_in_title')
  if (!session) return render(<SignIn say={say} />, root)
  const speak = async (tag: string): Promise<void> => {
    chooseLanguage(tag)
    language = chosenLanguage()
    say = await loadTexts(language)
    draw(session)
  }
  render(
    <ConsoleContext.Provider
      value={{
        say,
        language,
        locale: localeOf(language, navigator.languages),
        session,
        speak: (tag) => void speak(tag),
      }}
    >
      <App />
    </ConsoleContext.Provider>,
    root,
  )
}
