import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const LIBRARY = '../dist/bundle/index.umd.min.js'

/**
 * The button asks for a challenge, has the browser sign it, and submits the form with the answer. Without a script, or without WebAuthn, it stays
 * hidden.
 */
const OWN = `(() => {
const { browserSupportsWebAuthn, startAuthentication } = SimpleWebAuthnBrowser
const button = document.getElementById('use-passkey')
if (!browserSupportsWebAuthn()) return
const { form } = button
const problem = document.getElementById('passkey-problem')
button.hidden = false
button.addEventListener('click', async () => {
button.disabled = true
problem.hidden = true
try {
const body = new URLSearchParams({ csrf: form.elements.csrf.value, step: 'passkey_options' })
const answer = await fetch(form.getAttribute('action'), { method: 'POST', body, headers: { accept: 'application/json' } })
if (!answer.ok) throw new Error(answer.status)
const signed = await startAuthentication({ optionsJSON: await answer.json() })
form.elements.passkey.value = JSON.stringify(signed)
form.requestSubmit(document.getElementById('send-passkey'))
} catch {
problem.hidden = false
button.disabled = false
}
})
})()`

let script: string | undefined

/** The script of the sign-in page where there are passkeys: @simplewebauthn/browser and the button's own. */
export function passkeyScript(): string {
  script ??= `${readFileSync(fileURLToPath(new URL(LIBRARY, import.meta.resolve('@simplewebauthn/browser'))), 'utf8')}\n${OWN}`
  return script
}
