import { timeOf } from '../../../shared/src/view/time.ts'
import type { StoredPrint } from '../printing/print.ts'
import type { ViewProps } from './props.ts'

/** More would make the page slow. */
const MOST_SHOWN = 100

/** What the station prints and has printed, the latest first. */
export function StationView({ station, say }: ViewProps) {
  const { isUp, isHalted, prints, badge } = station
  return (
    <main>
      <header>
        <h1>
          {say('title')} <small>{station.station?.name}</small>
        </h1>
        <p class={isUp ? 'link up' : 'link down'} role="status">
          {say(isUp ? 'online' : 'offline')}
        </p>
      </header>
      {isHalted && (
        <div class="notice bad" role="alert">
          <p class="problem">{say('not_printing')}</p>
          <p>{say('halted')}</p>
          <button type="button" onClick={() => station.resume()}>
            {say('resume')}
          </button>
        </div>
      )}
      {(badge || !isHalted) && (
        <p role="status">{badge ? say('printing', { name: badge.name }) : say(isUp ? 'ready' : 'away')}</p>
      )}
      {!isHalted && <p class="hint">{say('nothing_out')}</p>}
      <button
        type="button"
        class="second"
        disabled={badge !== undefined}
        onClick={() => void station.printTest(say('test_name'))}
      >
        {say('test')}
      </button>
      <h2>{say('printed', { count: prints.length })}</h2>
      <ul>
        {prints.slice(0, MOST_SHOWN).map((print) => (
          <PrintItem key={print.guest_uid} print={print} station={station} say={say} />
        ))}
      </ul>
    </main>
  )
}

function PrintItem({ print, station, say }: ViewProps & { print: StoredPrint }) {
  const { guest_uid, name, state, printed_at } = print
  return (
    <li class="print">
      <div>
        <strong>{name}</strong>
        <p class={state === 'failed' ? 'problem' : 'hint'}>
          {timeOf(printed_at)} · {say(`state_${state}`)}
        </p>
      </div>
      <button
        type="button"
        class="second"
        aria-label={say('again_of', { name: name || guest_uid })}
        disabled={!station.isUp || station.badge !== undefined}
        onClick={() => void station.printAgain(print)}
      >
        {say('again')}
      </button>
    </li>
  )
}
