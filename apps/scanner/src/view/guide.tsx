import { useEffect, useState } from 'preact/hooks'
import { pageLanguage } from '../../../shared/src/view/now.ts'
import type { Signal } from '../scanning/outcome.ts'
import type { GuideSay } from '../texts/say.ts'
import { loadGuide } from '../texts/texts.ts'
import type { ViewProps } from './props.ts'
import { Sign } from './sign.tsx'

/** What to do at each result. */
const RESULTS = [
  ['granted', 'let_in'],
  ['unconfirmed', 'let_in_unconfirmed'],
  ['party', 'ask_party'],
  ['unknown', 'keep_out'],
  ['not_authorized', 'keep_out_time'],
  ['too_many', 'keep_out_used'],
  ['undecided', 'as_told'],
] as const satisfies [Signal, string][]

/** How to use the scanner, for stewards. */
export function GuideView({ say, close }: ViewProps & { close: () => void }) {
  const [guide, setGuide] = useState<GuideSay>()
  useEffect(() => void loadGuide(pageLanguage()).then((texts) => setGuide(() => texts)), [])
  return (
    <main class="guide">
      <h1>{say('guide')}</h1>
      {guide && <Chapters say={say} guide={guide} />}
      <button type="button" onClick={close}>
        {say('back')}
      </button>
    </main>
  )
}

function Chapters({ say, guide }: Pick<ViewProps, 'say'> & { guide: GuideSay }) {
  return (
    <>
      <h2>{guide('results')}</h2>
      <ul class="recent">
        {RESULTS.map(([signal, action]) => (
          <li key={signal}>
            <span class={`badge ${signal}`}>
              <Sign signal={signal} />
            </span>
            <div>
              <strong>{say(signal === 'party' ? 'how_many' : signal)}</strong>
              <p>{guide(action)}</p>
            </div>
          </li>
        ))}
      </ul>
      <p>{guide('note_text')}</p>
      <h2>{guide('scanning')}</h2>
      <p>{guide('scanning_text')}</p>
      <h2>{say('undo')}</h2>
      <p>{guide('undo_text')}</p>
      <h2>{say('find')}</h2>
      <p>{guide('find_text')}</p>
      <h2>{say('walk_in')}</h2>
      <p>{guide('walk_in_text')}</p>
      <h2>{guide('exits')}</h2>
      <p>{guide('exits_text')}</p>
      <h2>{say('offline')}</h2>
      <p>{guide('offline_text')}</p>
      <h2>{say('conflicts_title')}</h2>
      <p>{guide('conflicts_text')}</p>
    </>
  )
}
