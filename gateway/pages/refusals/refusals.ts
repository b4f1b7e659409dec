import { type Language, languageOf, speakerOf, textsOf } from '@gatehouse/proto/pages/languages.ts'
import { type HtmlPage, page } from '@gatehouse/proto/pages/layout.ts'
import { html } from '@gatehouse/proto/pages/markup.ts'
import type { FastifyRequest } from 'fastify'
import type en from './languages/en.json'

/** Why people see no page: there is none, or they shall come again. */
export type Refusal = 'nothing' | 'later'

const languages = await textsOf<keyof typeof en>((tag) => import(`./languages/${tag}.json`, { with: { type: 'json' } }))
/** Made once each: there is no time for it when very many are refused. */
const made = new Map<string, HtmlPage>()

/** Whether a person asks, in a browser, and no app does. */
export function isForPeople({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** Returns the page of a refusal, in the language of the person. */
export function refusalPage(refusal: Refusal, request: FastifyRequest): HtmlPage {
  const language = languageOf([], request.headers['accept-language'])
  return made.getOrInsertComputed(`${refusal} ${language}`, () => pageIn(language, refusal))
}

function pageIn(language: Language, refusal: Refusal): HtmlPage {
  const say = speakerOf(languages[language])
  const branding = { name: 'Gatehouse', colour: null, language, say }
  return page(branding, say(refusal), html`<p>${say(`${refusal}_text`)}</p>`, { problem: true })
}
